import { tokenHeartbeat } from '@astropelago/contract/devices'
import { addressNotes } from './address-notes.ts'
import type { CommandGuide, TokenHeartbeat } from './command-guide.ts'
import { firstHeartbeat } from './first-heartbeat.ts'
import { headerFileNote, headerFilePath, writeHeaderFile } from './header-file.ts'
import { heartbeatCurlOptions } from './heartbeat-curl.ts'
import { serverAddress } from './server-address.ts'
import { shellPaste } from './shell-paste.ts'
import { systemdQuote } from './systemd-quote.ts'

const unitDirectory = '.config/systemd/user'

// The time limit is longer than curl's four tries: a run that hangs would hold up the timer for good.
function serviceUnit({ publicUrl, deviceId }: TokenHeartbeat): string {
  const address = systemdQuote(serverAddress(publicUrl, tokenHeartbeat.path))
  const header = `@%h/${headerFilePath(deviceId)}`
  return `[Unit]
Description=Astropelago heartbeat

[Service]
Type=oneshot
ExecStart=/usr/bin/curl ${heartbeatCurlOptions} -o /dev/null -X POST -H ${header} ${address}
TimeoutStartSec=90
`
}

// Counted from the start of a run, failed ones too, and free of the wall clock, which jumps on
// boards without a battery. systemd's own accuracy of 1 min would stretch 2 min to 3 and leave no
// room for a lost heartbeat in a window of 5 min.
const timerUnit = `[Unit]
Description=Astropelago heartbeat every 2 minutes

[Timer]
OnBootSec=30s
OnUnitActiveSec=2min
AccuracySec=1s
RandomizedDelaySec=10s

[Install]
WantedBy=timers.target
`

function writeUnit(name: string, text: string): string[] {
  return [`cat >"$HOME/${unitDirectory}/${name}" <<'UNIT'`, text.trimEnd(), 'UNIT']
}

/**
 * A user timer: it needs no root. Lingering starts the user's timers at boot and keeps them after
 * logging out; systemd lets every user turn it on for themselves, so a headless Raspberry Pi
 * reports without anybody signed in.
 */
export function systemdCommand(input: TokenHeartbeat): CommandGuide {
  const { publicUrl, token, deviceId } = input
  const name = `astropelago-${deviceId}`
  const service = serviceUnit(input)
  return {
    steps: [
      {
        title: 'Paste this into a terminal on the device',
        text: shellPaste(
          ['curl', 'systemctl', 'loginctl'],
          [
            ...writeHeaderFile(deviceId, token),
            `mkdir -p "$HOME/${unitDirectory}"`,
            ...writeUnit(`${name}.service`, service),
            ...writeUnit(`${name}.timer`, timerUnit),
            'systemctl --user daemon-reload',
            `systemctl --user enable ${name}.timer`,
            // `enable --now` would leave a running timer as it was.
            `systemctl --user restart ${name}.timer`,
            'loginctl enable-linger ||',
            '  echo \'To keep it after you log out, run once: sudo loginctl enable-linger \'"$(id -un)"',
            ...firstHeartbeat(`systemctl --user start ${name}.service`, 'every 2 minutes'),
          ],
        ),
        language: 'sh',
      },
    ],
    installs: [
      { title: `~/${unitDirectory}/${name}.service`, text: service, language: 'ini' },
      { title: `~/${unitDirectory}/${name}.timer`, text: timerUnit, language: 'ini' },
    ],
    removal: {
      title: 'To stop it',
      text: shellPaste(
        ['systemctl'],
        [
          `systemctl --user disable --now ${name}.timer || :`,
          `rm -f "$HOME/${unitDirectory}/${name}.service" "$HOME/${unitDirectory}/${name}.timer"`,
          `rm -f "$HOME/${headerFilePath(deviceId)}"`,
          'systemctl --user daemon-reload',
        ],
      ),
      language: 'sh',
    },
    notes: [
      headerFileNote(deviceId),
      'It needs no root: the timer belongs to your user, starts 30 s after boot and goes on when you log out. Sign in as that user (by ssh, say), not with sudo or su.',
      `See how it goes: journalctl --user -u ${name}`,
      ...addressNotes(publicUrl),
    ],
  }
}
