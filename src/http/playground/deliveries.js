
// --- Deliveries -------------------------------------------------------------------------------------------------------

// This file goes on where playground.js ends: the webhooks of the guests and what was sent to them lately, read every few
// seconds while the list is open.

const DELIVERIES_EVERY = 2000;
const DELIVERIES_SHOWN = 5;
const TOLD = ['match.started', 'match.turn_started', 'match.draw_offered', 'match.takeback_offered', 'match.ended'];

let watched = null;

function shownDelivery({ notification, state, attempts, error, status }) {
  const how = [state, `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`, error, status && `status ${status}`];
  return h('li', { 'data-state': state }, h('code', {}, notification.type), ` ${how.filter(Boolean).join(', ')}`);
}

async function shownHook(who, { id, url, disabled_reason: off }) {
  const { items } = (await call(who, 'GET', `/v1/me/webhooks/${id}/deliveries?limit=${DELIVERIES_SHOWN}`)).json;
  const sent = items.length ? h('ul', {}, ...items.map(shownDelivery)) : h('p', { class: 'soft' }, 'Nothing was sent yet.');
  return h('li', {}, `${named(who.seat)}: `, h('code', {}, url), off ? ` is switched off (${off})` : '', sent);
}

async function showDeliveries() {
  const shown = match;
  const hooks = await Promise.all(shown.seats.map(async (who) => {
    const { items } = (await call(who, 'GET', '/v1/me/webhooks')).json;
    return Promise.all(items.map((hook) => shownHook(who, hook)));
  }));
  if (shown !== match) return;
  $('deliveries-list').replaceChildren(...hooks.flat());
  const guests = shown.seats.map((who) => named(who.seat));
  if ($('hook-guest').textContent === guests.join('')) return;
  $('hook-guest').replaceChildren(...shown.seats.map((who, at) => h('option', { value: String(who.seat) }, guests[at])));
}

async function watchDeliveries() {
  const own = (watched = Symbol());
  while (own === watched && $('deliveries').open) {
    if (match) await showDeliveries();
    await new Promise((done) => setTimeout(done, DELIVERIES_EVERY));
  }
}

async function makeHook() {
  fail(null);
  await call(held($('hook-guest').value), 'POST', '/v1/me/webhooks', { url: $('hook-url').value, events: TOLD });
  $('hook-url').value = '';
  await showDeliveries();
}

$('deliveries').addEventListener('toggle', guarded(watchDeliveries));
$('hook').addEventListener('submit', (event) => { event.preventDefault(); guarded(makeHook)(); });
