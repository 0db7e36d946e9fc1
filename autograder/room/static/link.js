// The way to the service: a stream that comes back by itself, and requests.

export const base = document.body.dataset.base;
const token = document.querySelector("meta[name=room-xsrf]").content;

/** Call `take(data)` for every message, and `connected(yes)` when the line changes. */
export function listen(path, take, connected) {
  const source = new EventSource(`${base}${path}?_xsrf=${encodeURIComponent(token)}`);
  source.onopen = () => connected(true);
  source.onmessage = (event) => take(event.data);
  source.onerror = () => {
    connected(false);
    // the browser itself comes back only where the service answered at all
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => comeBack(path, take, connected), 1000 + 2000 * Math.random());
    }
  };
}

async function comeBack(path, take, connected) {
  const signedOut = await fetch(location.href, { redirect: "manual" })
    .then((answer) => answer.type === "opaqueredirect", () => false);
  if (signedOut) {
    location.reload(); // by way of the hub, which knows this browser
  } else {
    listen(path, take, connected);
  }
}

/** Send a request; return the answer, whose status says whether it was done. */
export function send(path, options = {}) {
  const headers = { "X-XSRFToken": token, ...options.headers };
  return fetch(base + path, { ...options, headers });
}
