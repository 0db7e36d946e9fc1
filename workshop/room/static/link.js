// The way to the service: a stream that comes back by itself, and requests.

export const base = document.body.dataset.base;
const token = document.querySelector("meta[name=room-xsrf]").content;

const QUIET_MS = 10_000; // the service gives a sign of life every 4 s

/** Call `take(data)` for every message, and `connected(yes)` when the line changes. */
export function listen(path, take, connected) {
  const source = new EventSource(`${base}${path}?_xsrf=${encodeURIComponent(token)}`);
  let watch;
  const lost = () => {
    clearTimeout(watch);
    source.close();
    connected(false);
    setTimeout(() => comeBack(path, take, connected), 500 + 1500 * Math.random());
  };
  const heard = () => {
    clearTimeout(watch);
    watch = setTimeout(lost, QUIET_MS); // a proxy may hold a line whose other end is gone
  };
  source.onopen = () => { heard(); connected(true); };
  source.onmessage = (event) => { heard(); take(event.data); };
  source.addEventListener("alive", heard);
  source.onerror = lost; // the browser's own way back ends where the proxy answers 503
  heard();
}

async function comeBack(path, take, connected) {
  const reload = await fetch(location.href, { redirect: "manual" }).then(isOld, () => false);
  if (reload) {
    location.reload(); // by way of the hub, which knows this browser
  } else {
    listen(path, take, connected);
  }
}

/** Whether this page is signed out, or another tab signed in again and has a new token. */
async function isOld(answer) {
  if (answer.type === "opaqueredirect") return true;
  if (!answer.ok) return false; // the service is away, or begins
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  return fresh.querySelector("meta[name=room-xsrf]")?.content !== token;
}

/** Send a request; return the answer, whose status says whether it was done. */
export function send(path, options = {}) {
  const headers = { "X-XSRFToken": token, ...options.headers };
  return fetch(base + path, { ...options, headers });
}
