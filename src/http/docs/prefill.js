
// Fills in the parameters of paths: with what every service has, and with what the last answers were about.
(() => {
  const KEPT = 'sarsen-docs';
  const usual = { game: 'contiguity', code: 'stale_decision', version: '1' };
  const filled = { ...usual, ...JSON.parse(localStorage.getItem(KEPT) ?? '{}') };

  function fill() {
    for (const [path, operations] of Object.entries(window.ui.specSelectors.specJson().toJS().paths)) {
      for (const [name, value] of Object.entries(filled)) {
        if (!path.includes(`{${name}}`)) continue;
        for (const method of Object.keys(operations)) window.ui.specActions.changeParam([path, method], name, 'path', value);
      }
    }
  }

  function remember(answer) {
    const about = answer.ok && answer.obj ? answer.obj : {};
    const seen = { match_id: about.match?.id, player_id: about.player?.id };
    const fresh = Object.entries(seen).filter(([name, id]) => typeof id === 'string' && filled[name] !== id);
    if (fresh.length) {
      Object.assign(filled, Object.fromEntries(fresh));
      const { match_id, player_id } = filled;
      localStorage.setItem(KEPT, JSON.stringify({ match_id, player_id }));
      fill();
    }
    return answer;
  }

  // A link within a button cannot be reached by the keyboard alone, and a list needs a name.
  function name() {
    for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
    document.getElementById('servers')?.setAttribute('aria-label', 'Server');
  }
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });

  const bundle = window.SwaggerUIBundle;
  const withPrefill = (config) => bundle({ ...config, onComplete: fill, responseInterceptor: remember });
  window.SwaggerUIBundle = Object.assign(withPrefill, bundle);
})();
