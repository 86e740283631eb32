import { addressNotes } from '../heartbeat-commands/address-notes.ts'
import type { CommandGuide } from '../heartbeat-commands/command-guide.ts'
import { shellPaste } from '../heartbeat-commands/shell-paste.ts'
import { systemdQuote } from '../heartbeat-commands/systemd-quote.ts'
import { agentFiles, agentNotes, checkAgent, removeAgent, writeAgent } from './agent-files.ts'
import { agentOptions, type RelayInstall } from './relay-install.ts'
import { shellQuoting } from './shell-quoting.ts'

const unitDirectory = '.config/systemd/user'

const systemdQuoting = {
  word: systemdQuote,
  inHome: (path: string) => `"%h/${systemdQuote(path).replace(/^"(.*)"$/s, '$1')}"`,
}

// The agent waits between its tries by itself, and ends with 2 for what no other try mends.
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

/** A user's service: it needs no root, and lingering starts it at boot without anybody signed in. */
export function systemdAgent(input: RelayInstall): CommandGuide {
  const { publicUrl, islandId } = input
  const name = `astropelago-agent-${islandId}.service`
  const file = `${unitDirectory}/${name}`
  const unit = serviceUnit(input)
  const options = agentOptions(input, `"$HOME/${agentFiles(islandId).token}"`, shellQuoting)
  return {
    steps: [
      {
        title: 'Paste this into a terminal on the device',
        text: shellPaste(
          ['curl', 'systemctl', 'loginctl'],
          [
            ...writeAgent(input),
            `mkdir -p "$HOME/${unitDirectory}"`,
            `cat >"$HOME/${file}" <<'UNIT'`,
            unit.trimEnd(),
            'UNIT',
            'systemctl --user daemon-reload',
            `systemctl --user enable ${name}`,
            // `enable --now` would leave one that runs as it was.
            `systemctl --user restart ${name}`,
            'loginctl enable-linger ||',
            '  echo \'To keep it after you log out, run once: sudo loginctl enable-linger \'"$(id -un)"',
            ...checkAgent(islandId, options, {
              isRunning: `systemctl --user is-active --quiet ${name}`,
              seeWhy: `journalctl --user -u ${name}`,
            }),
          ],
        ),
        language: 'sh',
      },
    ],
    installs: [{ title: `~/${file}`, text: unit, language: 'ini' }],
    removal: {
      title: 'To stop it',
      text: shellPaste(
        ['systemctl'],
        [
          `systemctl --user disable --now ${name} || :`,
          `rm -f "$HOME/${file}"`,
          ...removeAgent(islandId),
          'systemctl --user daemon-reload',
        ],
      ),
      language: 'sh',
    },
    notes: [
      ...agentNotes(input),
      'It needs no root: it belongs to your user, starts at boot and goes on when you log out. Sign in as that user (by ssh, say), not with sudo or su.',
      `See how it goes: journalctl --user -u ${name}`,
      ...addressNotes(publicUrl),
    ],
  }
}
