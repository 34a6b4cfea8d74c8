// "Play now": a guest waits in a pool until the service has paired it with another, and plays in this tab.

import { $, call, enter, fail, guarded, h, signIn } from './playground.js';

// The seconds after which an answer says that the ticket still waits. Asking again renews it.
const WAIT = 5;

let stopping = false;

const tell = (text) => { $('pool-state').textContent = text; };

function show(isWaiting) {
  stopping = false;
  $('play-now').disabled = $('pool').disabled = $('pool-name').disabled = isWaiting;
  $('cancel').hidden = !isWaiting;
  $('cancel').disabled = false;
}

async function list() {
  const pools = (await call(null, 'GET', '/v1/pools')).json.items;
  $('pool').replaceChildren(...pools.map(({ id, waiting }) => h('option', { value: id }, `${id} (${waiting} wait)`)));
  $('play-now').disabled = !pools.length;
}

async function play() {
  fail(null);
  show(true);
  $('requests').replaceChildren();
  const pool = $('pool').value;
  tell('');
  try {
    const made = (await call(null, 'POST', '/v1/players', { name: $('pool-name').value })).json;
    const who = { seat: 0, name: made.player.name };
    signIn(who, made);
    tell(`${who.name} waits in ${pool}.`);
    const id = await wait(who, `/v1/pools/${pool}/ticket`);
    tell(id ? '' : 'The ticket was taken back.');
    if (id) await enter(who, id);
  } finally {
    show(false);
  }
}

// The match; none where the ticket was taken back. No two requests are under way at once, so that none comes too late.
async function wait(who, path) {
  while (!stopping) {
    const ticket = (await call(who, 'PUT', `${path}?wait=${WAIT}`, {})).json;
    if (ticket.state === 'matched') return ticket.match_id;
  }
  try {
    await call(who, 'DELETE', path);
    return null;
  } catch (error) {
    if (error.problem?.code !== 'already_matched') throw error;
    return error.problem.match_id;
  }
}

$('now').addEventListener('submit', (event) => { event.preventDefault(); guarded(play)(); });
$('cancel').addEventListener('click', () => { stopping = $('cancel').disabled = true; });
guarded(list)();
