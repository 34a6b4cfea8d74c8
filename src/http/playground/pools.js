// "Play now": a guest waits in a pool until the service has paired it with another, and plays in this tab.

import { $, call, enter, fail, guarded, h, signIn } from './playground.js';

// The seconds after which an answer says that the ticket still waits. Asking again renews it.
const WAIT = 20;

// The wait that goes on.
let wait = null;

const tell = (text) => { $('pool-state').textContent = text; };

function show(isWaiting) {
  $('play-now').disabled = $('pool').disabled = $('pool-name').disabled = isWaiting;
  $('cancel').hidden = !isWaiting;
}

async function list() {
  const pools = (await call(null, 'GET', '/v1/pools')).json.items;
  $('pool').replaceChildren(...pools.map(({ id, waiting }) => h('option', { value: id }, `${id} (${waiting} wait)`)));
  $('play-now').disabled = !pools.length;
}

async function play() {
  fail(null);
  show(true);
  $('cancel').disabled = true;
  $('requests').replaceChildren();
  const mine = { path: `/v1/pools/${$('pool').value}/ticket`, stop: new AbortController() };
  try {
    const made = (await call(null, 'POST', '/v1/players', { name: $('pool-name').value })).json;
    mine.who = { seat: 0, name: made.player.name };
    signIn(mine.who, made);
    wait = mine;
    $('cancel').disabled = false;
    tell(`${mine.who.name} waits in ${$('pool').value}.`);
    for (;;) {
      const request = ['PUT', `${mine.path}?wait=${WAIT}`, {}, {}, mine.stop.signal];
      const ticket = (await call(mine.who, ...request)).json;
      if (ticket.state === 'matched') return await meet(mine, ticket.match_id);
    }
  } catch (error) {
    if (!mine.stop.signal.aborted) {
      tell('');
      throw error;
    }
  } finally {
    if (wait === mine || !mine.who) show(false);
  }
}

async function meet({ who }, id) {
  tell('');
  await enter(who, id);
}

// Takes the ticket back; where the service was quicker, the match is there.
async function cancel() {
  const mine = wait;
  wait = null;
  mine.stop.abort();
  try {
    await call(mine.who, 'DELETE', mine.path);
    tell('The ticket is taken back.');
  } catch (error) {
    if (error.problem?.code !== 'already_matched') throw error;
    await meet(mine, error.problem.match_id);
  } finally {
    show(false);
  }
}

$('now').addEventListener('submit', (event) => { event.preventDefault(); guarded(play)(); });
$('cancel').addEventListener('click', guarded(cancel));
guarded(list)();
