//! A client that knows the options and its own seat and reads the events meant for it has at each moment the view that
//! is served: nothing in a view needs anything else.

use super::*;

/// Everything before the first event.
fn nothing(options: &Options, seats: SeatCount) -> AbsolutionView {
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

/// What a front end does that has read what events mean, and no rules.
fn follow(view: &mut AbsolutionView, event: &Event) {
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
            seat.hand = seat.hand.map(|hand| hand.without(*cards));
            seat.taken = seat.taken.without(*cards);
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

fn viewers(seats: SeatCount) -> Vec<Viewer> {
    seats.seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect()
}

#[test]
fn events_alone_give_the_view() {
    let mut endings = std::collections::HashSet::new();
    for game in 0..100u8 {
        let options = all_options()[usize::from(game) % 3];
        let mut dice = dice(game);
        let (mut state, events) = start(options, 2 + game % 4, &mut dice);
        let seats = state.seats();
        let mut followed: Vec<(Viewer, AbsolutionView)> =
            viewers(seats).into_iter().map(|viewer| (viewer, nothing(&options, seats))).collect();
        let tell = |followed: &mut Vec<(Viewer, AbsolutionView)>, events: &[Event], state: &State| {
            for (viewer, view) in followed {
                events.iter().filter_map(|event| Absolution::redact(event, *viewer)).for_each(|event| {
                    follow(view, &event);
                });
                assert_eq!(*view, Absolution::view(state, *viewer), "{viewer:?} after {events:?}");
            }
        };
        tell(&mut followed, &events, &state);
        while let Status::ToAct(acting) = Absolution::status(&state) {
            let (seat, mv) = choose(&state, acting, &mut dice);
            let Ok(played) = play::<Absolution>(&mut state, seat, mv, &mut dice) else { continue };
            tell(&mut followed, &played.events, &state);
        }
        endings.insert(state.ending().map(Ending::name));
    }
    assert_eq!(endings.len(), 3, "{endings:?}");
}

/// A move of a seat to act, mostly a match if there is one, or some signal.
fn choose(state: &State, acting: Seats, dice: &mut Dice) -> (Seat, Move) {
    if dice.below(4) == 0 {
        let texts =
            ["wish 14 blue", "wish 3 red white", "ready night 4 poor", "ready day 9 great", "ready night 4 fair"];
        let seat = seat(dice.below(u32::from(state.seats().get())) as u8);
        return (seat, Absolution::parse(texts[dice.index(texts.len()).unwrap()]).unwrap());
    }
    let seats: Vec<Seat> = acting.iter().collect();
    let seat = seats[dice.index(seats.len()).unwrap()];
    let player = if dice.below(8) == 0 { players::random } else { players::matcher };
    (seat, player(state, seat, dice))
}

#[test]
fn what_another_seat_holds_shows_in_no_event_and_no_view() {
    let mut dice = dice(9);
    let (mut state, events) = start(Options::default(), 3, &mut dice);
    let shown = |event: &Event, viewer| match Absolution::redact(event, viewer) {
        Some(Event::HandDealt(OpeningHandDealt { cards, .. }) | Event::Drawn(ReplacementsDrawn { cards, .. })) => {
            Some(cards.is_some())
        }
        _ => None,
    };
    let dealt: Vec<bool> = events.iter().filter_map(|event| shown(event, Viewer::Seat(seat(1)))).collect();
    assert_eq!(dealt, [false, true, false]);
    assert!(events.iter().filter_map(|event| shown(event, Viewer::Spectator)).all(|shown| !shown));
    while let Status::ToAct(acting) = Absolution::status(&state) {
        let view = Absolution::view(&state, Viewer::Seat(seat(1)));
        let hands: Vec<bool> = view.seats.iter().map(|seat| seat.hand.is_some()).collect();
        assert_eq!((hands, view.pile), (vec![false, true, false], None));
        let actor = acting.first().unwrap();
        let mv = Absolution::legal_moves(&state, actor).moves.swap_remove(0);
        for event in play::<Absolution>(&mut state, actor, mv, &mut dice).unwrap().events {
            assert_ne!(shown(&event, Viewer::Seat(seat(1))), Some(actor != seat(1)));
        }
    }
}

#[test]
fn what_is_imagined_is_a_fair_deal() {
    // Seat 1 took D9. Its other card is any that seat 0 cannot see, each as likely as the others.
    let mut state = position(Phase::Day, 9, &["D11", "D7 D8"], "D9 D3");
    make(&mut state, &["pass", "exchange D7 D9", "pass"]);
    let view = Absolution::view(&state, Viewer::Seat(seat(0)));
    let mut times = std::collections::HashMap::new();
    let mut dice = dice(3);
    for _ in 0..12_000 {
        let imagined = Absolution::imagine(&view, Viewer::Seat(seat(0)), &mut dice);
        conserved(&imagined);
        let other = hand(&imagined, 1).without(cards("D9"));
        *times.entry(other).or_insert(0) += 1;
    }
    // 65 less D11, D9, D7 and D3: 61 cards, 197 times each, standard deviation 14.
    assert_eq!(times.len(), 61);
    assert!(times.values().all(|times| (127..=267).contains(times)), "{times:?}");
}
