// The playground: one guest a seat, a match, and every request that was made for it. It calls nothing but the public API.
// Whatever comes from the service is set as text, never as markup; pictures are parsed as SVG and stripped of what acts.

const NAMES = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve'];
const KEPT = 'sarsen-playground';
const MOVES_AT_ONCE = 60;
const REQUESTS_KEPT = 400;
const EVENTS_KEPT = 1000;
const ANSWER_SHOWN = 20000;
// Below this width a picture is asked for in large type: the least text of a wide one is 9.5 of its 1,300 (Henge) or 1,000
// units, and none may be under 9 pixels.
const narrowBelow = () => (game.id === 'henge' ? 1240 : 950);

// What a picture says of pointing at it.
const POINTING = `
  svg { display: block; width: 100%; height: auto; }
  .open { cursor: pointer; }
  .open:hover { opacity: .7; }
  .chosen { filter: drop-shadow(0 0 3px var(--lit, currentcolor)) drop-shadow(0 0 3px var(--lit, currentcolor)); }
`;

export const $ = (id) => document.getElementById(id);

// An element; texts among its children stay texts.
export function h(tag, traits = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(traits)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// --- Requests ---------------------------------------------------------------------------------------------------------

class Refusal extends Error {
  constructor(problem) {
    super([problem.title, problem.detail, problem.rule && `(${problem.rule})`].filter(Boolean).join(' — '));
    this.problem = problem;
  }
}

async function send(who, method, path, body, headers = {}) {
  const given = { ...headers };
  if (who?.access) given.Authorization = `Bearer ${who.access}`;
  if (body !== undefined) given['Content-Type'] = 'application/json';
  const begun = performance.now();
  const answer = await fetch(path, { method, headers: given, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  const took = Math.round(performance.now() - begun);
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const json = isJson && text ? JSON.parse(text) : null;
  note({ who, method, path, body, headers, status: answer.status, took, json, text });
  return { status: answer.status, ok: answer.ok, etag: answer.headers.get('etag'), json, text };
}

// A request for a seat; a token that has ended is renewed once.
export async function call(who, ...request) {
  let answer = await send(who, ...request);
  if (answer.status === 401 && who?.refresh) {
    await renew(who);
    answer = await send(who, ...request);
  }
  if (!answer.ok && answer.status !== 304) throw new Refusal(answer.json ?? { title: `Status ${answer.status}`, detail: '' });
  return answer;
}

// One renewal at a time: a refresh token is good for one.
function renew(who) {
  who.renewing ??= (async () => {
    try {
      const answer = await call(null, 'POST', '/v1/tokens/refresh', { refresh_token: who.refresh });
      signIn(who, answer.json);
      keep();
    } finally {
      who.renewing = null;
    }
  })();
  return who.renewing;
}

export function signIn(who, answer) {
  who.access = answer.access_token;
  who.refresh = answer.refresh_token;
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ who, method, path, body, headers }, token) {
  const parts = [`curl -sS ${quoted(location.origin + path)}`];
  if (method !== 'GET' && body === undefined) parts.push(`-X ${method}`);
  if (who?.access) parts.push(`-H "Authorization: Bearer ${token}"`);
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}

const isSecret = (name, value) => /_token$|^secret$/.test(name) || (name === 'code' && /^[\dA-Z]{5}-?[\dA-Z]{5}$/i.test(value));
const masked = (name, value) => (typeof value === 'string' && isSecret(name, value) ? `${value.slice(0, 8)}…` : value);

function note(request) {
  const { who, method, path, status, took } = request;
  const token = who ? `$SEAT${who.seat}` : '';
  const kind = method === 'GET' ? 'read' : 'change';
  const brief = path.replace(/m_[0-9a-f]{28}/, '…');
  const summary = h('summary', {}, h('code', {}, `${method} ${brief}`), ` ${status}, ${took} ms${who ? `, seat ${who.seat}` : ''}`);
  const entry = h('details', { class: status >= 400 ? `${kind} failed` : kind }, summary);
  // Most are never opened.
  entry.addEventListener('toggle', () => {
    const shown = request.body && JSON.parse(JSON.stringify(request.body), masked);
    const answered = request.json ? JSON.stringify(request.json, masked, 2) : request.text;
    const rest = answered.length - ANSWER_SHOWN;
    entry.append(
      h('pre', {}, curl({ ...request, body: shown }, token)),
      h('button', { type: 'button', click: (event) => copy(event.target, curl(request, who?.access)) }, 'Copy the command'),
      h('pre', {}, answered.slice(0, ANSWER_SHOWN) + (rest > 0 ? `\n… and ${rest} more characters` : '')),
    );
  }, { once: true });
  $('requests').prepend(entry);
  const alike = $('requests').getElementsByClassName(kind);
  if (alike.length > REQUESTS_KEPT) alike[REQUESTS_KEPT].remove();
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'The browser does not allow it';
  }
}

export function fail(error) {
  $('failure').textContent = error ? (error.message || String(error)) : '';
  $('failure').hidden = !error;
}

// --- A new match ------------------------------------------------------------------------------------------------------

let games = [];
let game = null;

const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

async function openSetup() {
  if (!games.length) {
    games = (await call(null, 'GET', '/v1/games')).json.items;
    $('game').replaceChildren(...games.map(({ id, title }) => h('option', { value: id }, title)));
  }
  $('setup').hidden = $('now').hidden = $('pairing').hidden = false;
  await chooseGame();
}

async function chooseGame() {
  $('setup').dataset.game = '';
  const id = $('game').value;
  const details = (await call(null, 'GET', `/v1/games/${id}`)).json;
  if ($('game').value !== id) return;
  game = details;
  $('seats').replaceChildren(...numbers(game.min_seats, game.max_seats).map((count) => h('option', {}, String(count))));
  $('seats').disabled = game.min_seats === game.max_seats;
  const hidden = game.hidden_information ? 'something is hidden from each seat' : 'everything is open';
  $('about').textContent = `By ${game.designer}; ${game.mode}, ${hidden}.`;
  const fields = Object.entries(game.options_schema.properties ?? {}).map(([name, schema]) => optionField(name, schema));
  $('options').replaceChildren(...fields);
  $('options-box').hidden = !fields.length;
  $('setup').dataset.game = id;
  askNames();
}

function askNames() {
  const before = [...$('guests').querySelectorAll('input')].map((input) => input.value);
  const seats = numbers(0, $('others').value ? 0 : Number($('seats').value) - 1);
  $('guests').replaceChildren(...seats.map((seat) => {
    const input = h('input', { required: true, maxlength: '200', autocomplete: 'off' });
    input.value = before[seat] ?? NAMES[seat];
    return h('label', {}, `Seat ${seat}`, input);
  }));
}

function resolved(schema) {
  const name = schema.$ref?.split('/').pop();
  const found = name ? { ...game.options_schema.$defs?.[name], ...schema } : schema;
  const parts = (found.oneOf ?? found.anyOf)?.filter((part) => part.type !== 'null');
  return parts?.length === 1 ? { ...resolved(parts[0]), ...found, nullable: true } : found;
}

// A field for an option, by its schema. What has no field of its own is written as JSON.
function optionField(name, written) {
  const schema = resolved(written);
  const type = [schema.type].flat().find((type) => type !== 'null');
  const help = h('small', {}, (written.description ?? schema.description ?? '').replace(/\s+/g, ' '));
  const initial = schema.default ?? null;
  let input, read;
  if (schema.enum) {
    input = h('select', {}, ...schema.enum.map((word) => h('option', {}, word)));
    read = () => input.value;
  } else if (type === 'boolean') {
    input = h('input', { type: 'checkbox' });
    input.checked = initial === true;
    read = () => input.checked;
  } else if (type === 'integer' || type === 'number') {
    input = h('input', { type: 'number', min: schema.minimum, max: schema.maximum, required: initial !== null });
    read = () => (input.value === '' ? null : Number(input.value));
  } else if (type === 'string') {
    input = h('input', { maxlength: schema.maxLength, pattern: schema.pattern });
    read = () => input.value;
  } else {
    input = h('textarea', { spellcheck: 'false' });
    input.value = JSON.stringify(initial, null, 2);
    read = () => JSON.parse(input.value);
  }
  if (type !== 'boolean' && input.localName !== 'textarea') input.value = initial ?? '';
  input.name = name;
  input.read = () => (JSON.stringify(read()) === JSON.stringify(initial) ? undefined : read());
  const title = name.replaceAll('_', ' ');
  return h('label', type === 'boolean' ? { class: 'check' } : {}, ...(type === 'boolean' ? [input, h('span', {}, title, h('br'), help)] : [title, input, help]));
}

function chosenOptions() {
  const options = {};
  for (const input of $('options').querySelectorAll('[name]')) {
    let value;
    try {
      value = input.read();
    } catch (error) {
      throw new Error(`The option ${input.name} is no JSON: ${error.message}`);
    }
    if (value !== undefined) options[input.name] = value;
  }
  return options;
}

async function create() {
  fail(null);
  $('create').disabled = true;
  try {
    const options = chosenOptions();
    const names = [...$('guests').querySelectorAll('input')].map((input) => input.value);
    $('requests').replaceChildren();
    const seats = [];
    for (const [seat, name] of names.entries()) {
      const answer = (await call(null, 'POST', '/v1/players', { name })).json;
      const who = { seat, name: answer.player.name };
      signIn(who, answer);
      seats.push(who);
    }
    const count = Number($('seats').value);
    const wanted = { game: game.id, seats: count };
    if ($('others').value) {
      wanted.places = numbers(1, count - 1).map((seat) => ({ seat, bot: $('others').value }));
      // The spectator beside the seat looks on without a token.
      wanted.visibility = 'public';
    }
    if (Object.keys(options).length) wanted.options = options;
    const made = (await call(seats[0], 'POST', '/v1/matches', wanted)).json;
    for (const who of seats.slice(1)) await call(who, 'POST', `/v1/matches/${made.match.id}/join`, {});
    await open(made.match.id, seats);
  } catch (error) {
    fail(error);
  } finally {
    $('create').disabled = false;
  }
}

// Signs in as the guest whose code another tab shows, and opens that guest's newest match.
async function pair() {
  fail(null);
  try {
    const answer = (await call(null, 'POST', '/v1/tokens/pair', { code: $('code').value, device: 'Another tab' })).json;
    const who = { seat: 0, name: answer.player.name };
    signIn(who, answer);
    const mine = (await call(who, 'GET', '/v1/matches?mine=true&limit=1')).json.items[0];
    if (!mine) throw new Error(`${who.name} sits in no match.`);
    await enter(who, mine.id);
    $('code').value = '';
  } catch (error) {
    fail(error);
  }
}

// Opens a match in which a guest sits already.
export async function enter(who, id) {
  const seen = (await call(who, 'GET', `/v1/matches/${id}?legal_moves=none`)).json.match;
  who.seat = seen.your_seat;
  game = (await call(null, 'GET', `/v1/games/${seen.game}`)).json;
  await open(id, [who]);
}

// Shows a code for the guest through whose eyes the events are seen, or the first one.
async function showCode() {
  const who = held($('viewer').value) ?? match.seats[0];
  const { code } = (await call(who, 'POST', '/v1/me/pairing-codes', { expires_in_seconds: 300 })).json;
  const button = $('pair');
  button.textContent = `${who.name}: ${code}`;
  button.dataset.code = code;
}

// --- The match --------------------------------------------------------------------------------------------------------

let match = null;

const path = (rest = '') => `/v1/matches/${match.id}${rest}`;

// What a reload needs, in this tab alone.
function keep() {
  const seats = match?.seats.map(({ seat, name, access, refresh }) => ({ seat, name, access, refresh }));
  if (match) sessionStorage.setItem(KEPT, JSON.stringify({ game: game.id, id: match.id, seats }));
  else sessionStorage.removeItem(KEPT);
}

async function open(id, seats) {
  match = { id, seats, version: 0, over: false };
  keep();
  $('setup').hidden = $('now').hidden = $('pairing').hidden = true;
  $('match').hidden = false;
  $('match-title').textContent = game.title;
  $('review').hidden = $('chart').hidden = true;
  $('review-state').textContent = '';
  $('verdicts').replaceChildren();
  const link = (rest, text) => h('a', { href: path(rest), target: '_blank', rel: 'noopener' }, text);
  document.querySelector('.links').replaceChildren(
    h('code', {}, id), link('', 'match'), link('/events', 'events'), link('/record', 'record'),
    h('a', { href: `/v1/games/${game.id}/rules`, target: '_blank', rel: 'noopener' }, 'rules'),
  );
  match.tables = seats.map((who) => new Table(who));
  // Who looks on sees less than any seat.
  if (game.hidden_information) match.tables.push(new Table(null));
  $('tables').replaceChildren(...match.tables.map((table) => table.element));
  const viewers = [...seats.map((who) => h('option', { value: String(who.seat) }, `seat ${who.seat}, ${who.name}`)), h('option', { value: '' }, 'a spectator')];
  $('viewer').replaceChildren(...viewers);
  await refresh();
  follow();
  $('match-title').focus();
}

function leave() {
  match?.stream?.abort();
  match = null;
  keep();
  playAtRandom(false);
  fail(null);
  $('match').hidden = true;
  $('status').textContent = '';
  $('tables').replaceChildren();
  document.title = 'Sarsen playground';
}

// Brings every table up to date; asked again meanwhile, it does it once more.
function refresh() {
  const shown = match;
  shown.stale = true;
  shown.refreshing ??= (async () => {
    try {
      while (shown.stale) {
        shown.stale = false;
        await Promise.all(shown.tables.map((table) => table.load()));
      }
      if (shown === match) tell();
    } catch (error) {
      fail(error);
    } finally {
      shown.refreshing = null;
    }
  })();
  return shown.refreshing;
}

// A tab that was paired holds one seat of several.
const held = (seat) => match.seats.find((who) => String(who.seat) === String(seat));
const named = (seat) => `${held(seat)?.name ?? 'seat'} (seat ${seat})`;

function tell() {
  const { status, version, to_act: due, outcome } = match.tables[0].seen.match;
  match.version = version;
  match.over = status === 'finished' || status === 'aborted';
  const turn = due.length ? `${due.map(named).join(', ')} to act` : status;
  $('status').textContent = `Version ${version}, ${turn}`;
  document.title = `${game.title}, ${turn} – Sarsen playground`;
  $('review').hidden = status !== 'finished';
  const place = ({ seat, verdict, score }) => `${named(seat)} ${verdict}${score === null ? '' : ` with ${score}`}`;
  $('outcome').textContent = outcome ? `${outcome.ending.replaceAll('_', ' ')}: ${outcome.standings.map(place).join(', ')}` : '';
  $('outcome').hidden = !outcome;
  // The focus goes on to whoever is to act, to what it was on: a move, or a move at random.
  const focused = match.tables.find((table) => table.held);
  if (!focused) return;
  const next = focused.decision ? focused : match.tables.find((table) => table.decision);
  (next?.[focused.held].querySelector('button') ?? $('match-title')).focus();
  for (const table of match.tables) table.held = null;
}

// --- A seat's table ---------------------------------------------------------------------------------------------------

// What a notation names: spaces, cards and words.
const words = (notation) => notation.split(/[^\p{L}\p{N}_.:]+/u).filter(Boolean);

// What a move names in its properties, where its notation has a bare number: the space that a walk leads to, say.
const ids = (value) => (typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(ids) : []);

// The legal moves: how each is written, said, and what it names. The lists are of one decision, in one order.
const legalMoves = ({ notations, texts }, moves) =>
  notations.map((notation, at) => ({ notation, text: texts[at], names: new Set([...words(notation), ...ids(moves[at])]) }));

class Table {
  constructor(who) {
    this.who = who;
    this.seen = null;
    this.legal = [];
    this.chosen = new Set();
    this.acting = new Set();
    const title = who ? `Seat ${who.seat}: ${who.name}` : 'A spectator';
    this.badge = h('span', { class: 'badge' });
    this.asked = h('p', { class: 'asked' });
    this.refusal = h('p', { class: 'notice', role: 'alert', hidden: true });
    this.picture = h('div', { class: 'picture' });
    this.picture.attachShadow({ mode: 'open' }).addEventListener('click', (event) => this.point(event));
    new ResizeObserver(() => this.redraw()).observe(this.picture);
    const closing = h('form', { method: 'dialog' }, h('button', {}, 'Close the picture'));
    this.enlarged = h('dialog', { 'aria-label': `Picture of ${title}`, close: () => this.asked.before(this.picture) }, closing);
    this.filter = h('input', { type: 'search', placeholder: 'Filter the moves', 'aria-label': `Filter the moves of ${title}`, input: () => this.showMoves() });
    this.chips = h('div', { class: 'row' });
    this.moves = h('div', { class: 'moves', role: 'group', 'aria-label': `Legal moves of ${title}`, keydown: (event) => this.step(event) });
    this.text = h('pre', {});
    this.state = h('details', { toggle: () => this.showState() }, h('summary', {}, 'State as JSON'), this.text);
    this.actions = h('div', { class: 'row' });
    this.element = h('section', { class: 'card table', 'aria-label': title },
      h('div', { class: 'row head' }, h('h3', {}, title), this.badge),
      this.picture, this.asked, this.refusal, this.filter, this.chips, this.moves, this.enlarged);
    if (who) this.element.append(this.writing(), this.actions);
    this.element.append(this.state);
  }

  get decision() {
    return this.seen?.decision ?? null;
  }

  async load() {
    await this.loadView();
    await this.loadPicture();
  }

  // As large as there is room for; with one space chosen, what can be done from there is marked.
  get pictureWanted() {
    const layout = this.enlarged.open || this.picture.clientWidth >= narrowBelow() ? 'wide' : 'narrow';
    const [id, more] = this.chosen;
    const isSpace = id && !more && this.picture.shadowRoot.querySelector(`[data-space="${CSS.escape(id)}"]`);
    const from = isSpace ? `&from=${encodeURIComponent(id)}` : '';
    return path(`/board.svg?layout=${layout}&last_move=true${this.who ? `&legal=true${from}` : ''}`);
  }

  // Another picture for another size or choice.
  redraw() {
    if (match && this.pictureUrl && this.pictureUrl !== this.pictureWanted) this.loadPicture().catch(fail);
  }

  async loadPicture() {
    const url = this.pictureWanted;
    const request = (this.pictureRequest = Symbol());
    const known = this.pictureUrl === url && this.pictureTag;
    const answer = await call(this.who, 'GET', url, undefined, known ? { 'If-None-Match': known } : {});
    if (answer.status === 304 || request !== this.pictureRequest) return;
    this.pictureUrl = url;
    this.pictureTag = answer.etag;
    // The page's policy knows no style sheets but its own file; one that a script makes of a text is allowed.
    const style = /<style>([^<]*)<\/style>/;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync((style.exec(answer.text)?.[1] ?? '') + POINTING);
    const drawn = new DOMParser().parseFromString(answer.text.replace(style, ''), 'image/svg+xml');
    for (const element of drawn.querySelectorAll('script, foreignObject')) element.remove();
    this.picture.shadowRoot.adoptedStyleSheets = [sheet];
    this.picture.shadowRoot.replaceChildren(document.importNode(drawn.documentElement, true));
    this.showSpaces();
  }

  async loadView() {
    const headers = this.etag ? { 'If-None-Match': this.etag } : {};
    const answer = await call(this.who, 'GET', path('?legal_moves=notation&text=true'), undefined, headers);
    if (answer.status === 304) return;
    const decision = answer.json.decision;
    const same = decision && (await call(this.who, 'GET', path('?legal_moves=full'))).json.decision;
    this.etag = answer.etag;
    this.legal = decision ? legalMoves(decision.legal_moves, same?.id === decision.id ? same.legal_moves.moves : []) : [];
    this.held ??= ['moves', 'actions'].find((part) => this[part].contains(document.activeElement));
    this.seen = answer.json;
    this.chosen.clear();
    this.filter.value = '';
    this.show();
  }

  show() {
    const { match: told, decision, state } = this.seen;
    const seat = this.who?.seat;
    const isOver = told.status !== 'playing' && told.status !== 'open';
    const standing = told.outcome?.standings.find((standing) => standing.seat === seat);
    this.element.classList.toggle('due', Boolean(decision));
    this.badge.textContent = decision ? 'to act' : standing ? standing.verdict : told.seats[seat]?.resigned ? 'resigned' : this.who ? 'waiting' : 'looking on';
    this.asked.textContent = decision?.text ?? '';
    this.asked.hidden = !decision?.text;
    this.state.hidden = !state;
    this.showState();
    this.showMoves();
    if (this.who) this.showActions(told, isOver);
  }

  showState() {
    if (this.state.open) this.text.textContent = JSON.stringify(this.seen?.state, null, 2);
  }

  // The legal moves that name all chosen spaces and hold what is typed.
  get narrowed() {
    const typed = this.filter.value.trim().toLowerCase();
    const holds = ({ notation, text }) => notation.toLowerCase().includes(typed) || text.toLowerCase().includes(typed);
    return this.legal.filter((move) => holds(move) && [...this.chosen].every((id) => move.names.has(id)));
  }

  showMoves(all = false) {
    const listed = this.decision?.legal_moves;
    const moves = this.narrowed;
    this.filter.hidden = !listed || listed.count <= 12;
    const shown = all ? moves : moves.slice(0, MOVES_AT_ONCE);
    const buttons = shown.map(({ notation, text }, at) => h('button', { type: 'button', tabindex: at ? '-1' : '0', 'data-move': notation, click: () => this.play(notation) }, ...(text ? [text, ' '] : []), h('code', {}, notation)));
    if (shown.length < moves.length) buttons.push(h('button', { type: 'button', tabindex: '-1', click: () => this.showMoves(true) }, `Show all ${moves.length}`));
    this.moves.replaceChildren(...buttons);
    this.moves.hidden = !listed;
    const chips = [...this.chosen].map((id) => h('button', { type: 'button', class: 'chip', 'aria-label': `Without ${id}`, click: () => this.choose(id) }, `${id} ×`));
    if (listed) {
      const { count, complete } = listed;
      const counted = `${moves.length < count ? `${moves.length} of ` : ''}${count} legal move${count === 1 ? '' : 's'}`;
      chips.push(h('span', { class: 'soft' }, complete ? counted : `${counted} that are listed; there are more`));
    }
    if (moves.length > 1) chips.push(h('span', { class: 'soft' }, 'Click on what they name in the picture: the last one left is made.'));
    this.chips.replaceChildren(...chips);
    this.showSpaces();
  }

  // Spaces and cards of the picture that legal moves name can be pointed at. Keyboards have the buttons, which say the same.
  showSpaces() {
    const named = new Set(this.narrowed.flatMap((move) => [...move.names]));
    for (const element of this.picture.shadowRoot.querySelectorAll('[data-space], [data-card]')) {
      const id = element.dataset.space ?? element.dataset.card;
      element.classList.toggle('open', named.has(id));
      element.classList.toggle('chosen', this.chosen.has(id));
    }
  }

  // Narrows the moves down; the last one that is left is made.
  // A finger needs the picture large first, and so does whoever clicks beside the open spaces.
  point(event) {
    const element = event.target.closest('.open');
    if (!this.enlarged.open && (!element || event.pointerType === 'touch')) return this.enlarge();
    if (!element) return;
    this.choose(element.dataset.space ?? element.dataset.card);
    const left = this.narrowed;
    if (this.chosen.size && left.length === 1) this.play(left[0].notation);
  }

  enlarge() {
    this.enlarged.append(this.picture);
    this.enlarged.showModal();
  }

  // One stop for the tabulator; arrows go on from there.
  step(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const buttons = [...this.moves.children];
    const at = buttons.indexOf(event.target);
    const next = event.key === 'Home' ? buttons[0] : event.key === 'End' ? buttons.at(-1) : by && buttons[at + by];
    if (!next || at < 0) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  choose(id) {
    if (!this.chosen.delete(id)) this.chosen.add(id);
    this.showMoves();
    this.redraw();
  }

  writing() {
    const input = h('input', { autocomplete: 'off', spellcheck: 'false', maxlength: '1000', placeholder: 'A move in notation', 'aria-label': `A move of seat ${this.who.seat} in notation` });
    const said = game.signals.map((signal) => signal.notation).join(', ');
    const form = h('form', { submit: (event) => {
      event.preventDefault();
      if (input.value.trim()) this.play(input.value.trim()).then((made) => { if (made) input.value = ''; });
    } }, h('div', { class: 'send' }, input, h('button', {}, 'Send')));
    if (said) form.append(h('p', { class: 'soft' }, `At any time: ${said}`));
    return form;
  }

  showActions(told, isOver) {
    const act = (text, rest) => h('button', { type: 'button', click: () => this.act('POST', rest) }, text);
    const seat = this.who.seat;
    const offered = told.draw_agreed_by ?? [];
    const actions = [];
    if (this.decision) actions.push(h('button', { type: 'button', click: () => this.playAny() }, 'Random move'));
    if (!isOver && game.draws) {
      if (!offered.length) actions.push(act('Offer a draw', '/draw/offer'));
      else if (!offered.includes(seat)) actions.push(act('Accept the draw', '/draw/accept'), act('Decline the draw', '/draw/decline'));
    }
    if (!isOver && !told.seats[seat]?.resigned) actions.push(act('Resign', '/resign'));
    this.actions.replaceChildren(...actions);
  }

  playAny() {
    const moves = this.decision?.legal_moves?.notations ?? [];
    return moves.length ? this.play(moves[Math.floor(Math.random() * moves.length)]) : null;
  }

  play(notation) {
    const isSignal = game.signals.some((signal) => signal.type === notation.split(/\s/)[0]);
    const body = this.decision && !isSignal ? { decision_id: this.decision.id, notation } : { notation };
    return this.act('POST', '/moves?legal_moves=none', body);
  }

  // Whether the action was taken. A second click on what is under way is none; the next decision may be known before the
  // answer to the last move is there.
  async act(method, rest, body) {
    const what = `${rest} ${body?.decision_id}`;
    if (this.acting.has(what)) return false;
    this.acting.add(what);
    this.refusal.hidden = true;
    try {
      await call(this.who, method, path(rest), body);
      return true;
    } catch (error) {
      this.refusal.textContent = error.message;
      this.refusal.hidden = false;
      return false;
    } finally {
      this.acting.delete(what);
      await refresh();
    }
  }
}

// --- Events -----------------------------------------------------------------------------------------------------------

// Follows the match as the chosen viewer may; whatever happens there, made here or elsewhere, refreshes the tables.
async function follow() {
  match.stream?.abort();
  const stream = (match.stream = new AbortController());
  const who = held($('viewer').value) ?? null;
  $('viewer').value = who ? String(who.seat) : '';
  $('events').replaceChildren();
  const place = { last: null, isEnd: false };
  while (!stream.signal.aborted) {
    $('stream').textContent = `Following ${path('/stream')}`;
    try {
      const headers = { Accept: 'text/event-stream' };
      if (who) headers.Authorization = `Bearer ${who.access}`;
      if (place.last) headers['Last-Event-ID'] = place.last;
      const answer = await fetch(path('/stream?text=true'), { headers, signal: stream.signal });
      if (answer.status === 401 && who) await renew(who);
      if (answer.ok) await read(answer.body, place);
    } catch (error) {
      if (stream.signal.aborted) return;
    }
    if (place.isEnd) {
      $('stream').textContent = 'The match is over, and so is the stream.';
      return;
    }
    $('stream').textContent = 'The stream has ended; following again…';
    await new Promise((done) => setTimeout(done, 1000));
  }
}

// Reads blocks of server-sent events to the end, and notes the id of the last one.
async function read(body, place) {
  const texts = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await texts.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = block.split(/\r?\n/).map((line) => /^(id|data): ?(.*)$/.exec(line)).filter(Boolean);
      const data = fields.filter(([, name]) => name === 'data').map(([, , text]) => text).join('\n');
      place.last = fields.find(([, name]) => name === 'id')?.[2] ?? place.last;
      if (!data) continue;
      const item = JSON.parse(data);
      place.isEnd = ['match_ended', 'match_aborted'].includes(item.event?.type);
      told(item);
    }
  }
}

function told({ id, version, event, text }) {
  if (!event) return;
  const { type, ...rest } = event;
  if (type === 'resync') $('events').replaceChildren();
  const list = $('events');
  const log = list.parentElement;
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  const said = Object.keys(rest).length ? JSON.stringify(rest) : '';
  list.append(h('li', {}, h('code', {}, id), h('span', {}, h('b', {}, type), ' ', text ?? '', ' ', h('code', {}, said))));
  while (list.childElementCount > EVENTS_KEPT) list.firstElementChild.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
  if (version > match.version || type === 'resync') refresh();
}

// --- The review -------------------------------------------------------------------------------------------------------

// Orders the review of the match, and shows it as it is made.
async function review() {
  const shown = match;
  const [who] = shown.seats;
  const level = $('review-level').value;
  let found = (await call(who, 'POST', path('/review'), { level })).json;
  while (shown === match) {
    const layout = $('review').clientWidth >= narrowBelow() ? 'wide' : 'narrow';
    const chart = await call(who, 'GET', path(`/review/chart.svg?level=${level}&layout=${layout}`));
    showReview(found, chart.text);
    if (found.state !== 'queued' && found.state !== 'running') return;
    found = (await call(who, 'GET', path(`/review?level=${level}&wait=5`))).json;
  }
}

function showReview({ state, progress, seats, items }, chart) {
  const sum = ({ seat, inaccuracies, mistakes, blunders, mean_loss: loss }) =>
    `${named(seat)}: ${inaccuracies} inaccuracies, ${mistakes} mistakes, ${blunders} blunders, mean loss ${loss.toFixed(3)}`;
  const standing = state === 'done' ? '' : `${state}, version ${progress.done} of ${progress.of}. `;
  $('review-state').textContent = standing + seats.map(sum).join('; ');
  $('chart').src = `data:image/svg+xml,${encodeURIComponent(chart)}`;
  // The picture is not parsed whole: the page allows no style of others.
  $('chart').alt = new DOMParser().parseFromString(chart.match(/<desc[^>]*>([^<]*)/)[1], 'text/html').body.textContent;
  $('chart').hidden = false;
  const costly = items.filter(({ verdict }) => verdict !== 'best' && verdict !== 'good');
  const told = ({ version, seat, notation, verdict, loss, best, reason }) =>
    h('li', {}, `Version ${version}, ${named(seat)}: `, h('code', {}, notation), `, ${verdict} (−${loss.toFixed(2)}); better `,
      h('code', {}, best[0].notation), reason ? `. ${reason}` : '');
  $('verdicts').replaceChildren(...costly.map(told));
}

// --- Playing by itself ------------------------------------------------------------------------------------------------

let playing = false;

async function playAtRandom(on) {
  $('auto').setAttribute('aria-pressed', String(on));
  const begin = on && !playing;
  playing = on;
  if (!begin) return;
  while (playing && match && !match.over) {
    const due = match.tables.filter((table) => table.decision);
    await due[0]?.playAny();
    await new Promise((done) => setTimeout(done, 300));
  }
  playing = false;
  $('auto').setAttribute('aria-pressed', 'false');
}

// --- The page ---------------------------------------------------------------------------------------------------------

async function begin() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
  if (kept) {
    try {
      game = (await call(null, 'GET', `/v1/games/${kept.game}`)).json;
      await call(kept.seats[0], 'GET', `/v1/matches/${kept.id}?legal_moves=none`);
      return await open(kept.id, kept.seats);
    } catch {
      leave();
    }
  }
  return openSetup();
}

export const guarded = (what) => (...given) => what(...given).catch(fail);

$('game').addEventListener('change', guarded(chooseGame));
$('seats').addEventListener('change', askNames);
$('others').addEventListener('change', askNames);
$('setup').addEventListener('submit', (event) => { event.preventDefault(); create(); });
$('pairing').addEventListener('submit', (event) => { event.preventDefault(); pair(); });
$('pair').addEventListener('click', guarded(showCode));
$('anew').addEventListener('click', guarded(async () => { leave(); await openSetup(); $('game').focus(); }));
$('order').addEventListener('click', guarded(review));
$('viewer').addEventListener('change', guarded(follow));
$('reads').addEventListener('change', () => $('requests').classList.toggle('all', $('reads').checked));
$('auto').addEventListener('click', () => playAtRandom(!playing));
guarded(begin)();
