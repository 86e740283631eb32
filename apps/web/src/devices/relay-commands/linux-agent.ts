import { crontabLine, type LinuxJob } from '../heartbeat-commands/linux-install.ts'
import { systemdQuote } from '../heartbeat-commands/quote.ts'
import {
  agentFiles,
  allAgentFiles,
  checkAgent,
  foregroundAgent,
  putAgent,
  sayIfVisitorsCome,
} from './agent-files.ts'
import { agentOptions, type RelayInstall, shellQuoting } from './relay-install.ts'

const systemdQuoting = {
  word: systemdQuote,
  inHome: (path: string) => `"%h/${systemdQuote(path).replace(/^"(.*)"$/s, '$1')}"`,
}

// The agent waits between its own retries, and exits with 2 if retrying is useless.
function serviceUnit(input: RelayInstall): string {
  const { program, node, token } = agentFiles(input.islandId)
  const options = agentOptions(input, `%h/${token}`, systemdQuoting)
  return `[Unit]
Description=Astropelago agent
StartLimitIntervalSec=0

[Service]
ExecStart=%h/${node} %h/${program} ${options}
Restart=always
RestartSec=2s
RestartPreventExitStatus=2
TimeoutStopSec=10s
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`
}

// cron starts the script once and does not supervise it, so the script does what the systemd unit does.
export function runScript(input: RelayInstall): string {
  const { folder, program, node, token } = agentFiles(input.islandId)
  const options = agentOptions(input, `"$HOME/${token}"`, shellQuoting)
  return `# Runs the agent until it is stopped, or ends for good.
cd "$HOME/${folder}" || exit
echo $$ >pid
exec >log 2>&1
trap 'kill "$agent"; exit' INT TERM
while :; do
  "$HOME/${node}" "$HOME/${program}" ${options} </dev/null &
  agent=$!
  wait "$agent" && exit || [ $? -ne 2 ] || exit 2
  sleep 2
done
`
}

export function runFile(islandId: string): string {
  return `${agentFiles(islandId).folder}/run`
}

export function agentJob(input: RelayInstall): LinuxJob {
  const { islandId } = input
  const { folder } = agentFiles(islandId)
  const name = `astropelago-agent-${islandId}.service`
  const run = runFile(islandId)
  const cronMark = `astropelago agent ${islandId}`
  return {
    units: [{ name, text: serviceUnit(input) }],
    unit: name,
    cronLine: crontabLine('@reboot', `sh "$HOME/${run}"`, cronMark),
    cronMark,
    files: allAgentFiles(islandId),
    check: checkAgent(input),
    install: putAgent(islandId),
    bySystemd: {
      last: [
        'sleep 1',
        'systemctl "$scope" is-active --quiet "$unit" ||',
        '  fail "the agent ended at once. See why: journalctl $scope -u $unit"',
      ],
    },
    byCron: {
      install: [`  put ${run} <<'RUN'`, runScript(input).trimEnd(), 'RUN'],
      start: [`nohup sh "$HOME/${run}" >/dev/null 2>&1 </dev/null &`],
      stop: [
        `pid=$(cat ${folder}/pid 2>/dev/null) || pid=`,
        // Check the command line too, because the process id may have been reused.
        String.raw`if tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -q ${islandId}; then kill "$pid"; fi`,
        `rm -f ${folder}/pid ${folder}/log`,
      ],
      last: [
        // A small device may take seconds to start the agent.
        `for _ in 1 2 3 4 5 6 7 8 9 10; do grep -Eq ' connected| refused: ' ${folder}/log 2>/dev/null || sleep 1; done`,
        `! grep -q ' refused: ' ${folder}/log && kill -0 "$(cat ${folder}/pid)" 2>/dev/null || fail "the agent ended at once: $(tail -n 1 ${folder}/log)"`,
      ],
      started: run,
      stopText: `kill "$(cat ~/${folder}/pid)"`,
    },
    foreground: foregroundAgent(input),
    doneText: 'the agent runs',
    last: sayIfVisitorsCome,
  }
}
