// JupyterLab in a workshop: two buttons in a notebook, and notices of what is new.
//
// Written by hand in the form that JupyterLab loads, that of webpack's module
// federation: so it needs no build. What it shares with JupyterLab comes by `init`.

(() => {
  const LOOK_MS = 4000;
  const VOTES = "/services/room/me";
  const HAND_IN = "Hand in";
  const FEEDBACK = "Feedback";
  let shared;

  const from = async (name) => (await Object.values(shared[name])[0].get())();

  // 02_some_name of 02_some_name/02_some_name.ipynb; nothing else can be handed in
  const nameOf = (path) => /^([^/]+)\/\1\.ipynb$/.exec(path)?.[1];

  const makeAsk = ({ ServerConnection }, { URLExt }, settings) => async (path, body) => {
    const url = URLExt.join(settings.baseUrl, "course", path);
    const request = body
      ? { method: "POST", body: JSON.stringify(body) }
      : { cache: "no-store" };
    const response = await ServerConnection.makeRequest(url, request, settings);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message ?? response.statusText);
    return answer;
  };

  const makeNotices = (commands) => ({
    show: (message, type, actions = []) =>
      commands.execute("apputils:notify", {
        message,
        type,
        options: { autoClose: false, actions },
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

  const addCommands = (app, ask, notices) => {
    const { commands } = app;
    commands.addCommand("course:vote", {
      label: "Open the question",
      execute: () => window.open(VOTES, "course-vote"),
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

  const addButtons = (app, { ToolbarButton, fileUploadIcon, fileIcon }) => {
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
        if (!nameOf(context.path)) return;
        const again = "Save this notebook and hand it in; the last one counts";
        button(panel, "course-hand-in", fileUploadIcon, HAND_IN, "course:hand-in", again);
        const open = "Open the newest feedback on this notebook";
        button(panel, "course-feedback", fileIcon, FEEDBACK, "course:feedback", open);
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
        const actions = [{ label, commandId: command, args: { name } }];
        shown.set(message, await notices.show(message, "info", actions));
      }
    };
  };

  const plugin = {
    id: "course-workshop:plugin",
    autoStart: true,
    activate: async (app) => {
      const services = await from("@jupyterlab/services");
      const coreutils = await from("@jupyterlab/coreutils");
      const components = await from("@jupyterlab/ui-components");
      const settings = app.serviceManager.serverSettings;
      const ask = makeAsk(services, coreutils, settings);
      const notices = makeNotices(app.commands);
      addCommands(app, ask, notices);
      addButtons(app, components);
      const tell = makeTeller(notices);
      const look = async () => {
        try {
          if (!document.hidden) await tell((await ask("news")).news);
        } catch {
          // the server is away for a while: JupyterLab itself says so
        }
        setTimeout(look, LOOK_MS);
      };
      app.restored.then(look); // not awaited: that waits for all plugins, this one too
    },
  };

  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB["course-workshop"] = {
    init: (scope) => {
      shared = scope;
    },
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();
