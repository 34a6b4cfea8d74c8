//! A match before anything is dealt: the same for every dealing that follows, and for every dealing imagined.

use crate::henge::components::{BonusDeck, Pool, Privilege, Step};

use super::{BotPiles, Built, CardSet, Chair, Chits, Equipment, LuckPiles, Person, Seating, Stage, State};

impl State {
    /// All decks unshuffled, nothing dealt.
    pub(crate) fn bare(seating: &Seating, equipment: Equipment) -> State {
        let set = equipment.set();
        let params = &set.params;
        let chairs = seating.chairs();
        let people = chairs.iter().flatten().count();
        let person = Person { coins: params.start_coins, travel_tokens: params.start_travel, ..Person::default() };
        let with_bots = chairs.iter().any(Option::is_none);
        let tokens = params.start_travel.saturating_mul(people as u8);
        let chits = |pool| Chits { stack: equipment.chits_of(pool), ..Chits::default() };
        State {
            equipment: equipment.clone(),
            people: vec![person; people],
            stage: Stage::Spring,
            round: 0,
            turn: Chair::FIRST,
            pawn: Step(0),
            trigger: None,
            slots: vec![None::<Built>; equipment.side().slots.len()],
            paths: Default::default(),
            quarry: vec![None; usize::from(params.quarry_size)],
            stone_deck: equipment.stones_in_use(),
            luck: LuckPiles { deck: (0..set.luck.len()).collect(), ..LuckPiles::default() },
            end_of_game_deck: equipment.bonus_in_use(BonusDeck::EndOfGame),
            spring_dropped: Vec::new(),
            chits: [chits(Pool::A), chits(Pool::B)],
            travel_supply: params.travel_supply.saturating_sub(tokens),
            bots: BotPiles {
                deck: if with_bots { (0..set.hengebot.len()).collect() } else { CardSet::default() },
                discards: Vec::new(),
                carve_token_up: vec![false; chairs.len()],
            },
            upgrades: set.first_upgrades.iter().map(|row| row.privilege).collect::<Vec<Privilege>>(),
            chairs,
            stack: Vec::new(),
        }
    }
}
