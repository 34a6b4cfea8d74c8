//! A fair queue: no share of its work waits for all the work of another.
//!
//! Invariants:
//! - Work of one rank is taken in turns by share (round robin): one piece of each share, then the next of each. So a
//!   share that queues one piece of work waits for at most one of each other share.
//! - Ranks go before one another in their order, but every fourth piece of work is taken from one rank after the other.
//!   So no rank waits for ever.
//!
//! It is pure: the caller passes the time.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use strum::{EnumCount, VariantArray};

/// The maximum number of pieces of work that wait in all.
pub(crate) const WAITING_MAX: usize = 1000;
/// The maximum number of waiting pieces of one share and rank.
pub(crate) const WAITING_MAX_OF_SHARE: usize = 100;
/// The assumed duration of work of a rank of which none has been done yet.
const AT_FIRST: Duration = Duration::from_millis(50);
/// One in this many pieces is taken from each rank in turn.
const TURN_OF_RANKS: usize = 4;

/// The urgency of work, most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, EnumCount, VariantArray)]
pub enum Rank {
    /// A client waits for an answer over HTTP.
    Asked,
    /// A move that takes hardly any time.
    Easy,
    /// A move that takes some time.
    Medium,
    /// A move that takes long.
    Hard,
}

/// The share and the urgency of a piece of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueTicket {
    /// The urgency.
    pub rank: Rank,
    /// The share, within which work waits in order: the id of the player for whom it is done.
    pub share: String,
}

/// Work of one rank.
struct Lane<W> {
    /// The shares that have work here, in the order in which they are served.
    turns: VecDeque<String>,
    /// The waiting work by share, each piece with the moment since which it waits, oldest first. No share is empty.
    work: BTreeMap<String, VecDeque<(Duration, W)>>,
    /// The recent duration of such work: a moving average.
    usual: Duration,
    /// The number of pieces under way.
    running: u32,
}

impl<W> Lane<W> {
    fn waiting(&self) -> usize {
        self.work.values().map(VecDeque::len).sum()
    }

    fn pop(&mut self) -> Option<W> {
        let share = self.turns.pop_front()?;
        let work = self.work.get_mut(&share)?;
        let (_, next) = work.pop_front()?;
        if work.is_empty() {
            self.work.remove(&share);
        } else {
            self.turns.push_back(share);
        }
        Some(next)
    }

    /// Returns the number of pieces of work that are served before one more of `share`.
    fn ahead_of(&self, share: &str) -> usize {
        let own = self.work.get(share).map_or(0, VecDeque::len);
        let others = self.work.iter().filter(|(other, _)| *other != share);
        own + others.map(|(_, work)| work.len().min(own + 1)).sum::<usize>()
    }
}

pub(crate) struct FairQueue<W> {
    lanes: [Lane<W>; Rank::COUNT],
    taken: usize,
}

impl<W> Default for FairQueue<W> {
    fn default() -> FairQueue<W> {
        let lane = |_| Lane { turns: VecDeque::new(), work: BTreeMap::new(), usual: AT_FIRST, running: 0 };
        FairQueue { lanes: std::array::from_fn(lane), taken: 0 }
    }
}

impl<W> FairQueue<W> {
    /// Returns the number of pieces of work that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.lanes.iter().map(Lane::waiting).sum()
    }

    /// Queues work at `now`; returns it as the error where too much of its share, or in all, waits already.
    ///
    /// # Errors
    /// The work.
    pub(crate) fn push(&mut self, ticket: QueueTicket, now: Duration, work: W) -> Result<(), W> {
        let QueueTicket { rank, share } = ticket;
        let full = self.waiting() >= WAITING_MAX;
        let lane = &mut self.lanes[rank as usize];
        let own = lane.work.get(&share).map_or(0, VecDeque::len);
        if full || own >= WAITING_MAX_OF_SHARE {
            return Err(work);
        }
        if own == 0 {
            lane.turns.push_back(share.clone());
        }
        lane.work.entry(share).or_default().push_back((now, work));
        Ok(())
    }

    /// Takes the next piece of work, which is under way until [`FairQueue::done`].
    pub(crate) fn pop(&mut self) -> Option<(Rank, W)> {
        let first = match self.taken % TURN_OF_RANKS {
            3 => self.taken / TURN_OF_RANKS % Rank::COUNT,
            _ => 0,
        };
        let mut order = (0..Rank::COUNT).map(|place| (first + place) % Rank::COUNT);
        let (index, work) = order.find_map(|index| Some((index, self.lanes[index].pop()?)))?;
        self.taken += 1;
        self.lanes[index].running += 1;
        Some((Rank::VARIANTS[index], work))
    }

    /// Notes that work of this rank has ended after this time.
    pub(crate) fn done(&mut self, rank: Rank, took: Duration) {
        let lane = &mut self.lanes[rank as usize];
        lane.running = lane.running.saturating_sub(1);
        lane.usual = (lane.usual * 3 + took) / 4;
    }

    /// Returns the approximate wait of one more piece of work for one of `threads` threads, if the load stays as it is.
    pub(crate) fn expected_wait(&self, ticket: &QueueTicket, threads: usize) -> Duration {
        let own = ticket.rank as usize;
        let count = |amount: usize| u32::try_from(amount).unwrap_or(u32::MAX);
        let mut before = 0;
        let mut wait = Duration::ZERO;
        for (index, lane) in self.lanes.iter().enumerate().take(own + 1) {
            let ahead = if index == own { lane.ahead_of(&ticket.share) } else { lane.waiting() };
            before += ahead;
            wait = wait.saturating_add(lane.usual.saturating_mul(count(ahead)));
        }
        // In between, one piece of each other rank has its turn.
        let later = self.lanes.iter().skip(own + 1).filter(|lane| !lane.turns.is_empty());
        let slowest = later.map(|lane| lane.usual).max().unwrap_or_default();
        wait = wait.saturating_add(slowest.saturating_mul(count(before / (TURN_OF_RANKS - 1))));
        let under_way = self.lanes.iter().map(|lane| lane.usual.saturating_mul(lane.running));
        let threads = count(threads.max(1));
        let running: u32 = self.lanes.iter().map(|lane| lane.running).sum();
        if before == 0 && running < threads {
            return Duration::ZERO;
        }
        // Assumes that the work under way is half done.
        wait.saturating_add(under_way.sum::<Duration>() / 2) / threads
    }

    /// Returns the number of waiting pieces of work of these ranks, and the time since which the first of them waits.
    pub(crate) fn backlog(&self, now: Duration, of: &[Rank]) -> (usize, Duration) {
        let lanes = of.iter().map(|rank| &self.lanes[*rank as usize]);
        let fronts = lanes.clone().flat_map(|lane| lane.work.values()).filter_map(VecDeque::front);
        let oldest = fronts.map(|(since, _)| now.saturating_sub(*since)).max();
        (lanes.map(Lane::waiting).sum(), oldest.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket(rank: Rank, share: &str) -> QueueTicket {
        QueueTicket { rank, share: share.to_owned() }
    }

    /// Serves a queue with one thread, on a clock that only work moves on.
    struct Served {
        queue: FairQueue<&'static str>,
        now: Duration,
        takes: fn(Rank) -> Duration,
    }

    impl Served {
        fn new(takes: fn(Rank) -> Duration) -> Served {
            Served { queue: FairQueue::default(), now: Duration::ZERO, takes }
        }

        fn push(&mut self, rank: Rank, share: &str, work: &'static str) {
            self.queue.push(ticket(rank, share), self.now, work).unwrap();
        }

        /// Does one piece of work.
        fn serve(&mut self) -> &'static str {
            let (rank, work) = self.queue.pop().unwrap();
            let took = (self.takes)(rank);
            self.now += took;
            self.queue.done(rank, took);
            work
        }

        /// Returns the time from now until this work is done, while the flood goes on.
        fn until(&mut self, wanted: &str, mut flood: impl FnMut(&mut Served)) -> Duration {
            let begun = self.now;
            while self.serve() != wanted {
                flood(self);
            }
            self.now - begun
        }
    }

    /// About what searches take on one core: those of hard Henge bots, hints, and the rest.
    fn takes(rank: Rank) -> Duration {
        match rank {
            Rank::Asked => Duration::from_millis(300),
            Rank::Easy => Duration::from_millis(5),
            Rank::Medium => Duration::from_millis(50),
            Rank::Hard => Duration::from_millis(600),
        }
    }

    /// 100 matches with four hard bots each, of which one at a time is to move: as one moves, the next comes.
    #[test]
    fn one_client_cannot_take_an_instance_from_the_others() {
        for rank in [Rank::Asked, Rank::Easy, Rank::Medium, Rank::Hard] {
            let mut served = Served::new(takes);
            (0..100).for_each(|_| served.push(Rank::Hard, "flood", "flood"));
            let mut waits = Vec::new();
            for _ in 0..40 {
                // In the middle of the flood somebody else asks for one thing.
                served.serve();
                served.push(Rank::Hard, "flood", "flood");
                served.push(rank, "ben", "ben");
                let took = served.until("ben", |served| served.push(Rank::Hard, "flood", "flood"));
                waits.push(took - takes(rank));
            }
            // At most one of the flood goes before it, whatever waits.
            assert_eq!(waits.iter().max(), Some(&takes(Rank::Hard)), "{rank:?}: {waits:?}");
        }
    }

    #[test]
    fn shares_take_turns_whatever_they_have_queued() {
        let mut served = Served::new(|_| Duration::from_secs(1));
        (0..6).for_each(|_| served.push(Rank::Hard, "ann", "ann"));
        (0..2).for_each(|_| served.push(Rank::Hard, "ben", "ben"));
        served.push(Rank::Hard, "cora", "cora");
        let order: Vec<&str> = (0..9).map(|_| served.serve()).collect();
        assert_eq!(order, ["ann", "ben", "cora", "ann", "ben", "ann", "ann", "ann", "ann"]);
    }

    #[test]
    fn ranks_go_in_their_order_and_none_waits_for_ever() {
        let mut served = Served::new(takes);
        for (rank, name) in Rank::VARIANTS.iter().zip(["asked", "easy", "medium", "hard"]) {
            (0..100).for_each(|_| served.push(*rank, "ann", name));
        }
        let order: Vec<&str> = (0..100).map(|_| served.serve()).collect();
        let count = |name: &str| order.iter().filter(|other| **other == name).count();
        assert_eq!(order[..4], ["asked"; 4]);
        assert_eq!(["asked", "easy", "medium", "hard"].map(count), [82, 6, 6, 6]);
    }

    #[test]
    fn a_share_has_room_of_its_own_and_all_have_an_end() {
        let mut queue = FairQueue::default();
        for _ in 0..WAITING_MAX_OF_SHARE {
            assert!(queue.push(ticket(Rank::Hard, "flood"), Duration::ZERO, ()).is_ok());
        }
        assert_eq!(queue.push(ticket(Rank::Hard, "flood"), Duration::ZERO, ()), Err(()));
        assert!(queue.push(ticket(Rank::Hard, "ben"), Duration::ZERO, ()).is_ok());
        for number in queue.waiting()..WAITING_MAX {
            assert!(queue.push(ticket(Rank::Easy, &format!("{number}")), Duration::ZERO, ()).is_ok());
        }
        assert_eq!(queue.push(ticket(Rank::Asked, "cora"), Duration::ZERO, ()), Err(()));
    }

    #[test]
    fn what_is_expected_is_what_it_comes_to() {
        let mut served = Served::new(takes);
        let free = served.queue.expected_wait(&ticket(Rank::Asked, "ben"), 1);
        assert_eq!(free, Duration::ZERO);
        // What work takes is learnt of.
        for _ in 0..20 {
            served.push(Rank::Asked, "ann", "ann");
            served.push(Rank::Hard, "ann", "ann");
            served.serve();
            served.serve();
        }
        (0..40).for_each(|_| served.push(Rank::Asked, "ann", "ann"));
        (0..40).for_each(|_| served.push(Rank::Hard, "ann", "ann"));
        for (share, name) in [("ben", "ben"), ("ann", "last")] {
            let expected = served.queue.expected_wait(&ticket(Rank::Asked, share), 1);
            let halved = served.queue.expected_wait(&ticket(Rank::Asked, share), 2);
            assert_eq!(halved, expected / 2);
            served.push(Rank::Asked, share, name);
            let waited = served.until(name, |_| ()) - takes(Rank::Asked);
            let apart = waited.abs_diff(expected);
            assert!(apart <= takes(Rank::Hard) + waited / 5, "{share}: {expected:?} expected, {waited:?} waited");
        }
    }

    #[test]
    fn the_oldest_is_found_by_rank() {
        let mut queue = FairQueue::default();
        let at = Duration::from_secs;
        queue.push(ticket(Rank::Hard, "ann"), at(1), "ann").unwrap();
        queue.push(ticket(Rank::Hard, "ben"), at(2), "ben").unwrap();
        queue.push(ticket(Rank::Asked, "ben"), at(4), "hint").unwrap();
        let backlog = |queue: &FairQueue<&str>, of: &[Rank]| queue.backlog(at(9), of);
        assert_eq!(backlog(&queue, &[Rank::Asked]), (1, at(5)));
        assert_eq!(backlog(&queue, &[Rank::Easy, Rank::Hard]), (2, at(8)));
        while queue.pop().is_some() {}
        assert_eq!(backlog(&queue, Rank::VARIANTS), (0, at(0)));
    }
}
