// JupyterLab in a workshop: three buttons in a notebook, notices of what is new, and
// pages that go on by themselves after the workshop was stopped or a laptop slept.
//
// Written by hand in the form that JupyterLab loads, that of webpack's module
// federation: so it needs no build. What it shares with JupyterLab comes by `init`.

(() => {
  const LOOK_MS = 4000;
  const ASLEEP_MS = 60000; // without a look: kernels may have ended of idleness
  const VOTES = "/services/room/me";
  const HELLO = "You are in the workshop. News comes here.";
  const HELLO_MS = 4000;
  const AWAY = "The workshop does not answer. What is on this page stays.";
  const STARTED = "The workshop was started again, and this page can go on.";
  const AGAIN = "There is a new kernel: run the cells from the top.";
  const HAND_IN = "Hand in";
  const FEEDBACK = "Feedback";
  const ASK = "Ask for help";
  let shared;

  const from = async (name) => (await Object.values(shared[name])[0].get())();

  // 02_some_name of 02_some_name/02_some_name.ipynb; nothing else can be handed in
  const nameOf = (path) => /^([^/]+)\/\1\.ipynb$/.exec(path)?.[1];

  const makeAsk = ({ ServerConnection }, { URLExt }, settings) => async (path, body) => {
    const url = URLExt.join(settings.baseUrl, "course", path);
    const request = body
      ? { method: "POST", body: JSON.stringify(body) }
      : { cache: "no-store", redirect: "manual" };
    const response = await ServerConnection.makeRequest(url, request, settings);
    const ours = response.headers.get("content-type")?.includes("json");
    const answer = ours ? await response.json() : {};
    if (response.ok && ours) return answer;
    const error = new Error(answer.message ?? response.statusText);
    throw Object.assign(error, { status: response.status });
  };

  const makeNotices = (commands) => ({
    show: (message, type, actions = [], autoClose = false) =>
      commands.execute("apputils:notify", {
        message,
        type,
        options: { autoClose, actions },
      }),
    take: (id) => commands.execute("apputils:dismiss-notification", { id }),
  });

  // Runs `work`, which returns what to say, or nothing; says what went wrong.
  const withNotice = async (notices, work) => {
    try {
      const said = await work();
      if (said) await notices.show(said, "success");
    } catch (error) {
      await notices.show(error.message, "error");
    }
  };

  // the hub may have another name than this session
  const atHub = (app, path) => `${app.paths.urls.hubHost ?? ""}${path}`;

  const addCommands = (app, ask, notices) => {
    const { commands } = app;
    commands.addCommand("course:vote", {
      label: "Open the question",
      execute: () => window.open(atHub(app, VOTES), "course-vote"),
    });
    // a tab of its own: what was not saved in this one stays
    commands.addCommand("course:go-on", {
      label: "Go on",
      execute: () => {
        const { hubPrefix, hubUser, base } = app.paths.urls;
        const next = encodeURIComponent(`${base}course/back`);
        window.open(atHub(app, `${hubPrefix}spawn/${hubUser}?next=${next}`), "course-go-on");
      },
    });
    commands.addCommand("course:get", {
      label: "Open what was handed out",
      execute: ({ name }) =>
        withNotice(notices, async () => {
          await ask("released", {});
          await commands.execute("docmanager:open", { path: `${name}/${name}.ipynb` });
        }),
    });
    commands.addCommand("course:feedback", {
      label: FEEDBACK,
      execute: ({ name }) =>
        withNotice(notices, async () => {
          const { page } = await ask("feedback", { name });
          await commands.execute("docmanager:open", { path: page });
          await commands.execute("docmanager:reload"); // it may be open, with the last one
        }),
    });
    commands.addCommand("course:hand-in", {
      label: HAND_IN,
      execute: ({ name }) =>
        withNotice(notices, async () => {
          await commands.execute("docmanager:save");
          const { at, answers } = await ask("hand-in", { name });
          const format = { hour: "2-digit", minute: "2-digit" };
          const time = new Date(at).toLocaleTimeString([], format);
          return `${name.split("_")[0]} arrived at ${time}. ${answers}`;
        }),
    });
  };

  const addButtons = (app, panels, { ToolbarButton, fileUploadIcon, fileIcon, infoIcon }) => {
    const button = (panel, item, icon, label, command, tooltip) =>
      panel.toolbar.insertBefore(
        "spacer",
        item,
        new ToolbarButton({
          icon,
          label,
          tooltip,
          onClick: () => {
            app.shell.activateById(panel.id); // what is saved is the active one
            app.commands.execute(command, { name: nameOf(panel.context.path) });
          },
        }),
      );
    app.docRegistry.addWidgetExtension("Notebook", {
      createNew: (panel, context) => {
        panels.add(panel);
        panel.disposed.connect(() => panels.delete(panel));
        if (!nameOf(context.path)) return;
        const again = "Save this notebook and hand it in; the last one counts";
        button(panel, "course-hand-in", fileUploadIcon, HAND_IN, "course:hand-in", again);
        const open = "Open the newest feedback on this notebook";
        button(panel, "course-feedback", fileIcon, FEEDBACK, "course:feedback", open);
        const raise = "Raise your hand, on a page of its own";
        button(panel, "course-ask", infoIcon, ASK, "course:vote", raise);
      },
    });
  };

  // Shows each piece of news once, and takes it away when it is none any more.
  const makeTeller = (notices) => {
    const shown = new Map(); // message -> id of its notice
    return async (news) => {
      const messages = new Set(news.map(({ message }) => message));
      for (const [message, id] of shown) {
        if (!messages.has(message)) {
          shown.delete(message);
          await notices.take(id);
        }
      }
      for (const { message, label, command, name } of news) {
        if (shown.has(message)) continue;
        const actions = label ? [{ label, commandId: command, args: { name } }] : [];
        shown.set(message, await notices.show(message, "info", actions));
      }
    };
  };

  // Gives notebooks the kernels back that they had, on a server that knows of none.
  const revive = async ({ sessions, kernels }, had) => {
    await Promise.all([sessions.refreshRunning(), kernels.refreshRunning()]);
    const running = new Set([...kernels.running()].map(({ id }) => id));
    let count = 0;
    for (const [panel, name] of had) {
      const { sessionContext } = panel;
      if (panel.isDisposed || running.has(sessionContext.session?.kernel?.id)) continue;
      sessionContext.session?.dispose(); // it may not have heard of it
      await sessionContext.changeKernel({ name });
      count += 1;
    }
    return count;
  };

  const withKernel = (panels) =>
    [...panels]
      .map((panel) => [panel, panel.sessionContext.session?.kernel?.name])
      .filter(([, name]) => name);

  // Looks again and again: what is new, and is this still the same server?
  const makeLook = (app, ask, notices, panels, { Dialog }) => {
    const tell = makeTeller(notices);
    let server, had, last;
    const look = async () => {
      const { server: found, news } = await ask("news");
      const other = server !== undefined && server !== found;
      if (had && (other || Date.now() - last > ASLEEP_MS)) {
        Dialog.flush(); // they speak of what failed meanwhile, and cover the notice
        const count = await revive(app.serviceManager, had);
        if (count) await notices.show(AGAIN, "warning");
      }
      server = found;
      had = withKernel(panels);
      last = Date.now();
      return news;
    };
    // 403 says their server, 424 the hub without it; 0 is the way to the hub's own page
    const trouble = ({ status }) => {
      if (![0, 200, 403, 424].includes(status)) return { message: AWAY };
      Dialog.flush();
      return { message: STARTED, label: "Go on", command: "course:go-on" };
    };
    const again = async () => {
      try {
        if (!document.hidden) {
          await tell(await look().catch((error) => [trouble(error)]));
        }
      } catch {
        // the next look may have more luck
      }
      setTimeout(again, LOOK_MS);
    };
    return () => {
      // JupyterLab loads what shows notices with the first one: not in an outage
      notices.show(HELLO, "info", [], HELLO_MS);
      again();
    };
  };

  const plugin = {
    id: "course-workshop:plugin",
    autoStart: true,
    activate: async (app) => {
      const services = await from("@jupyterlab/services");
      const coreutils = await from("@jupyterlab/coreutils");
      const apputils = await from("@jupyterlab/apputils");
      const components = await from("@jupyterlab/ui-components");
      const settings = app.serviceManager.serverSettings;
      const ask = makeAsk(services, coreutils, settings);
      const notices = makeNotices(app.commands);
      const panels = new Set();
      addCommands(app, ask, notices);
      addButtons(app, panels, components);
      const look = makeLook(app, ask, notices, panels, apputils);
      app.restored.then(look); // not awaited: it waits for all plugins, this one too
    },
  };

  // instead of JupyterLab's dialog, whose button opens a second tab
  const quiet = {
    id: "course-workshop:connection-lost",
    autoStart: true,
    activate: () => async () => {},
  };

  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB["course-workshop"] = {
    init: (scope) => {
      shared = scope;
    },
    get: async () => {
      const { IConnectionLost } = await from("@jupyterlab/application");
      const plugins = [plugin, { ...quiet, provides: IConnectionLost }];
      return () => ({ __esModule: true, default: plugins });
    },
  };
})();
