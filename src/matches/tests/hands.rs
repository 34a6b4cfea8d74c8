//! The secrecy of a hand: each way by which anybody else than the player to whom it was dealt could come to see it.

use super::bots::thinking;
use super::*;
use crate::invites::{MadeInvite, NewInvite};
use crate::model::clock::{OnTimeout, WantedClock};
use crate::model::refused::ClockRefused;
use sarsen_games::bots::Level;

/// The effect of a seat's time running out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Absence {
    /// The service moves for it.
    Moves,
    /// A bot takes over.
    Bot,
    Claimable,
}

const ABSENCES: [Absence; 3] = [Absence::Moves, Absence::Bot, Absence::Claimable];

fn roulette(own: Option<u8>, absence: Absence) -> NewMatch {
    let usual = WantedClock { initial_seconds: 60, first_move_seconds: Some(None), ..WantedClock::default() };
    let clock = match absence {
        Absence::Moves => {
            Some(WantedClock { on_timeout: Some(OnTimeout::AbsentMove), timeouts_allowed: Some(9), ..usual })
        }
        Absence::Bot => {
            Some(WantedClock { on_timeout: Some(OnTimeout::Bot), takeover_bot: Some(Level::Easy), ..usual })
        }
        Absence::Claimable => None,
    };
    let move_time_seconds = clock.is_none().then_some(60);
    let seats = SeatCount::new(2);
    let seat = own.and_then(Seat::new);
    NewMatch { seats, seat, clock, move_time_seconds, ..NewMatch::of("sacrifice_roulette") }
}

struct Table {
    world: World,
    id: MatchId,
    players: [Seated; 2],
}

impl Table {
    /// A table at which both have moved and seat 1 alone is to act. Its creator is the player on seat 0, or, if there is one,
    /// `host`, who has no seat.
    async fn laid(host: Option<&str>, absence: Absence) -> (Table, Seated) {
        let world = thinking();
        let players = ["Ann", "Ben"].map(|name| world.person(name));
        let creator = host.map_or_else(|| players[0].clone(), |name| world.person(name));
        let id = world.made(&creator, roulette(host.is_none().then_some(0), absence)).await;
        for player in players.iter().filter(|player| player.id != creator.id) {
            world.matches.join(player.clone(), &id, Joining::default(), None).await.unwrap();
        }
        let table = Table { world, id, players };
        let mut moved = [false; 2];
        loop {
            let live = table.live().await;
            if moved == [true; 2] && live.to_act().iter().eq([seat(1)]) {
                return (table, creator);
            }
            let acting = live.to_act().first().unwrap();
            moved[acting.index()] = true;
            table.moves(acting).await;
        }
    }

    async fn live(&self) -> Arc<LiveMatch> {
        self.world.matches.read(&Reader::default(), &self.id).await.unwrap().live
    }

    /// The first legal move of a seat, made by its player.
    async fn moves(&self, acting: Seat) {
        let live = self.live().await;
        let decision = live.decision(acting).map(|open| DecisionId { version: open.version, seat: acting });
        let player = live.holder(acting).unwrap();
        self.world.play(player, &self.id, decision, &legal(&live, acting)[0], None).await.unwrap();
    }

    /// Lets the time of the seat that is to act run out.
    async fn time_passes(&self) {
        self.world.clock.advance_seconds(400);
        self.world.matches.see_to(&self.id).await.unwrap();
    }

    async fn offers(&self, caller: &Seated, number: Option<u8>) -> Result<MadeInvite, Refused> {
        let offer = NewInvite { seat: number.and_then(Seat::new), substitutes: true, uses: 1, seconds: 6000 };
        self.world.matches.make_invite(&by(caller), &self.id, Ok(offer)).await
    }

    async fn comes(&self, player: &Seated, offer: &MadeInvite) -> Result<ViewedMatch, Refused> {
        let joined = self.world.matches.join_by_invite(player.clone(), &offer.code, None, None, None).await;
        joined.map(|answered| answered.viewed)
    }

    async fn seen_by(&self, player: &Seated) -> String {
        let viewed = self.world.read(player, &self.id).await;
        viewed.live.view(viewed.viewer).unwrap().unwrap().to_string()
    }
}

#[tokio::test]
async fn whoever_plays_has_nobody_elses_seat_taken_over() {
    for absence in ABSENCES {
        let (table, ann) = Table::laid(None, absence).await;
        refused!(table.offers(&ann, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
        table.time_passes().await;
        refused!(table.offers(&ann, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
        // Nor with her own seat given up, or handed on: she has seen a hand.
        let eve = table.world.person("Eve");
        let own = table.offers(&ann, None).await.unwrap();
        table.comes(&eve, &own).await.unwrap();
        refused!(table.offers(&ann, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
        refused!(table.offers(&eve, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
        let dan = table.world.person("Dan");
        refused!(table.offers(&dan, Some(1)).await, Refused::Forbidden(Forbidden::NotSeated));
        let ben = table.live().await.holder(seat(1)).unwrap().clone();
        assert_eq!(ben, table.players[1], "{absence:?}");
    }
}

#[tokio::test]
async fn whoever_is_away_may_come_back_until_somebody_sits_there() {
    for absence in ABSENCES {
        let (table, cora) = Table::laid(Some("Cora"), absence).await;
        let ([ann, ben], dan) = (&table.players, table.world.person("Dan"));
        refused!(table.offers(&cora, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
        table.time_passes().await;
        refused!(table.offers(ann, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
        let offer = table.offers(&cora, Some(1)).await.unwrap();
        // Without a move: after the service has moved for him, it need not be his turn.
        table.world.matches.come_back(&by(ben), &table.id, None).await.unwrap();
        refused!(table.comes(&dan, &offer).await, Refused::Read(ReadRefused::WrongInvite));
        refused!(table.offers(&cora, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
        if absence != Absence::Bot {
            let again = table.world.matches.come_back(&by(ben), &table.id, None).await;
            refused!(again, Refused::Clock(ClockRefused::NotSubstituted));
        }

        // And once more, until he lets his time pass again.
        let mut waited = 0;
        while table.offers(&cora, Some(1)).await.is_err() {
            let live = table.live().await;
            match live.to_act().first() {
                Some(acting) if live.is_taken_over(acting) => {
                    table.world.move_in_place(&table.id, &table.players).await;
                }
                Some(acting) if acting == seat(0) => table.moves(acting).await,
                Some(_) if absence == Absence::Claimable => table.moves(seat(1)).await,
                _ => table.time_passes().await,
            }
            if absence == Absence::Claimable && table.live().await.to_act().iter().eq([seat(1)]) {
                table.time_passes().await;
            }
            waited += 1;
            assert!(waited < 30, "{absence:?}");
        }
        let offer = table.offers(&cora, Some(1)).await.unwrap();
        let hand = table.seen_by(ben).await;
        let taken = table.comes(&dan, &offer).await.unwrap();
        assert_eq!((taken.seat(), table.seen_by(&dan).await), (Some(seat(1)), hand));
        refused!(
            table.world.matches.come_back(&by(ben), &table.id, None).await,
            Refused::Forbidden(Forbidden::NotSeated)
        );
        table.world.matches.resign(&by(&dan), &table.id, None).await.unwrap();
        let record = table.world.export(&table.id).await.unwrap();
        verify(&standard(), &record).unwrap();
    }
}

/// A creator without a seat offers that of somebody who is away, and then takes another.
#[tokio::test]
async fn a_creator_who_sits_down_has_offered_nobody_elses_seat() {
    let (table, cora) = Table::laid(Some("Cora"), Absence::Moves).await;
    let ([ann, _], dan) = (&table.players, table.world.person("Dan"));
    table.time_passes().await;
    let of_ben = table.offers(&cora, Some(1)).await.unwrap();
    let of_ann = table.offers(ann, None).await.unwrap();
    table.comes(&cora, &of_ann).await.unwrap();
    refused!(table.comes(&dan, &of_ben).await, Refused::Read(ReadRefused::WrongInvite));
    refused!(table.offers(&cora, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
}

/// The holder of a seat reads its past; nobody else reads it, in any way.
#[tokio::test]
async fn a_seats_past_and_present_are_whose_the_seat_is() {
    let (table, cora) = Table::laid(Some("Cora"), Absence::Moves).await;
    let ([ann, ben], dan, eve) = (&table.players, table.world.person("Dan"), table.world.person("Eve"));
    let matches = &table.world.matches;
    let early = table.live().await.stored.version;
    let hand = table.seen_by(ben).await;
    let offer = table.offers(ben, None).await.unwrap();
    table.comes(&dan, &offer).await.unwrap();
    let past = async |player: &Seated| {
        let viewed = table.world.read(player, &table.id).await;
        let then = matches.history(&by(player), viewed, early, false).await.unwrap();
        (then.viewer, then.live.view(then.viewer).unwrap().unwrap().to_string())
    };
    let told = async |player: &Seated| texts(&matches.events(&by(player), &table.id, None, 1000).await.unwrap().items);
    assert_eq!(past(&dan).await, (Viewer::Seat(seat(1)), hand.clone()), "the past of the seat that he has taken over");
    assert_eq!(past(ann).await.0, Viewer::Seat(seat(0)));
    let strangers = (past(&eve).await, table.seen_by(&eve).await, told(&eve).await);
    for nobody in [ben, &cora] {
        assert_eq!((past(nobody).await, table.seen_by(nobody).await, told(nobody).await), strangers);
    }
    assert_eq!(strangers.0.0, Viewer::Spectator);
    assert_ne!((strangers.0.1.clone(), told(&dan).await), (hand, strangers.2.clone()));
    for anybody in [ann, ben, &cora, &dan, &eve] {
        let viewed = table.world.read(anybody, &table.id).await;
        refused!(matches.history(&by(anybody), viewed, early, true).await, Refused::Read(ReadRefused::FullTooEarly));
        refused!(
            matches.fork(anybody.clone(), &table.id, Ok(early), None).await,
            Refused::Forbidden(Forbidden::ForkSecret)
        );
        let viewed = table.world.read(anybody, &table.id).await;
        refused!(matches.export(viewed).await, Refused::Read(ReadRefused::NotOver));
        let elsewhere = Reader { as_seat: Seat::new(1), ..by(anybody) };
        if anybody.id != dan.id {
            refused!(matches.read(&elsewhere, &table.id).await, Refused::Forbidden(Forbidden::HotseatOnly));
        }
    }
    // Nobody takes back what was before somebody else came, nor takes another seat than the one that they have seen.
    let back = matches.offer_takeback(&by(&dan), &table.id, Ok(early), None).await;
    refused!(back, Refused::Undo(_));
    let own = table.offers(ann, None).await.unwrap();
    assert_eq!(table.comes(&dan, &own).await.unwrap().seat(), Some(seat(1)), "he stays where he is");
    refused!(table.comes(ben, &own).await, Refused::Forbidden(Forbidden::SentAway));
}
