//! A client of Absolution that puts its view together from the events it is told.

use sarsen::games::absolution::*;
use sarsen::games::stonehenge::CardSet;
use sarsen::rules::{SeatCount, Viewer};

/// Everything before the first event.
pub fn nothing(options: &Options, seats: SeatCount, _viewer: Viewer) -> AbsolutionView {
    let empty_seat =
        SeatView { hand_size: 0, hand: None, taken: CardSet::EMPTY, signals_left: 10, wish: None, ready: Vec::new() };
    AbsolutionView {
        step: Step::Voting,
        ending: None,
        first_player: options.first_player,
        votes: match options.first_player {
            FirstPlayer::Vote => vec![Round { nominations: Vec::new() }],
            _ => Vec::new(),
        },
        first_seat: None,
        turn: None,
        druid: Druid::START,
        rescue_pending: false,
        outer_day_disks: NumberSet::EMPTY,
        outer_night_disks: NumberSet::EMPTY,
        inner_pairs: 25,
        outer_pairs: 0,
        trilithons: NumberSet::EMPTY,
        field: CardSet::EMPTY,
        discards: Vec::new(),
        pile_size: 0,
        pile: None,
        seats: vec![empty_seat; usize::from(seats.get())],
    }
}

/// Follows an event as a front end does that has read what events mean, and no rules.
pub fn follow(view: &mut AbsolutionView, event: &Event) {
    match event {
        Event::HandDealt(OpeningHandDealt { seat, count, cards }) => {
            let seat = &mut view.seats[seat.index()];
            (seat.hand_size, seat.hand) = (*count, *cards);
        }
        Event::FieldLaid(ExchangeFieldLaid { cards, pile_size }) => (view.field, view.pile_size) = (*cards, *pile_size),
        Event::Nominated(StarterNominated { seat, nominee, round }) => {
            let round = &mut view.votes[usize::from(*round) - 1].nominations;
            round.push(Nomination { seat: *seat, nominee: *nominee });
            round.sort_by_key(|nomination| nomination.seat);
        }
        Event::Differed(NominationsDiffered {}) => view.votes.push(Round { nominations: Vec::new() }),
        Event::StarterFound(StarterFound { seat, .. }) => view.first_seat = Some(*seat),
        Event::TurnBegun(TrackTurnBegun { seat, phase, number, rescue_pending }) => {
            if let Some(last) = view.turn {
                view.seats[last.seat.index()].wish = None;
            }
            for seat in &mut view.seats {
                seat.signals_left = 10;
                seat.ready.retain(|ready| (ready.phase, ready.number) >= (*phase, *number));
            }
            view.step = Step::Playing;
            view.rescue_pending = *rescue_pending;
            view.turn = Some(TurnView { seat: *seat, phase: *phase, number: *number, exchanged: false });
        }
        Event::Exchanged(FieldCardExchanged { seat, gave, took }) => {
            let seat = &mut view.seats[seat.index()];
            seat.taken.remove(*gave);
            seat.taken.insert(*took);
            if let Some(hand) = &mut seat.hand {
                hand.remove(*gave);
                hand.insert(*took);
            }
            view.field.remove(*took);
            view.field.insert(*gave);
            view.turn.as_mut().unwrap().exchanged = true;
        }
        Event::Matched(NumberMatched { seat, cards, .. }) => {
            let seat = &mut view.seats[seat.index()];
            seat.hand_size -= cards.len() as u8;
            seat.hand = seat.hand.map(|hand| hand.minus(*cards));
            seat.taken = seat.taken.minus(*cards);
            view.discards.extend(cards.iter());
        }
        Event::Missed(_) => {}
        Event::Drawn(ReplacementsDrawn { seat, count, cards, pile_size }) => {
            let seat = &mut view.seats[seat.index()];
            seat.hand_size += count;
            seat.hand = seat.hand.map(|hand| hand.union(cards.unwrap()));
            view.pile_size = *pile_size;
        }
        Event::DruidMoved(DoomedDruidMoved { from, to }) => {
            assert_eq!(view.druid, *from);
            view.druid = *to;
        }
        Event::DiskMoved(NumberDiskMoved { number, disk, to, inner_pairs, outer_pairs }) => {
            let out = match disk {
                Phase::Day => &mut view.outer_day_disks,
                Phase::Night => &mut view.outer_night_disks,
            };
            assert!(match to {
                Ring::Inner => out.remove(*number),
                Ring::Outer => out.insert(*number),
            });
            (view.inner_pairs, view.outer_pairs) = (*inner_pairs, *outer_pairs);
        }
        Event::TrilithonPlaced(NumberTrilithonPlaced { number }) => assert!(view.trilithons.insert(*number)),
        Event::TrilithonRemoved(NumberTrilithonRemoved { number }) => assert!(view.trilithons.remove(*number)),
        Event::WishTold(WishTold { seat, numbers, colours, signals_left }) => {
            let seat = &mut view.seats[seat.index()];
            seat.wish = Some(Wish { numbers: *numbers, colours: colours.clone() });
            seat.signals_left = *signals_left;
        }
        Event::ReadinessTold(ReadinessTold { seat, phase, number, word, signals_left }) => {
            let seat = &mut view.seats[seat.index()];
            seat.ready.retain(|ready| (ready.phase, ready.number) != (*phase, *number));
            seat.ready.push(Ready { phase: *phase, number: *number, word: *word });
            seat.ready.sort_by_key(|ready| (ready.phase, ready.number));
            seat.signals_left = *signals_left;
        }
        Event::Ended(AbsolutionEnded { ending, hands, pile, .. }) => {
            view.step = Step::Over;
            view.rescue_pending = false;
            view.ending = Some(*ending);
            view.pile = Some(pile.clone());
            for (seat, hand) in view.seats.iter_mut().zip(hands) {
                seat.hand = Some(*hand);
            }
        }
    }
}
