import { t } from '@lingui/core/macro'
import { type CommandGuide, sh } from './command-guide.ts'
import { xmlEscape } from './quote.ts'
import { hereDocument, needPrograms, shellInstall } from './shell-paste.ts'

interface LaunchAgent {
  readonly label: string
  readonly command: string
  /** When launchd starts it, as keys of the property list. */
  readonly schedule: string
  readonly check: readonly string[]
  readonly install: readonly string[]
  readonly done: readonly string[]
  /** What to remove, relative to the home folder. */
  readonly files: readonly string[]
  readonly notes: readonly string[]
}

export function launchAgentGuide(agent: LaunchAgent): CommandGuide {
  const { label, check, install, done, files, notes } = agent
  const file = `Library/LaunchAgents/${label}.plist`
  const text = propertyList(agent)
  const bootout = `launchctl bootout "gui/$(id -u)/${label}"`
  const bootstrap = `launchctl bootstrap "gui/$(id -u)" "$HOME/${file}"`
  const paste = shellInstall({
    check: [...needPrograms(['launchctl']), ...check],
    install: [
      ...install,
      `put ${file} <<'PLIST'`,
      text.trimEnd(),
      'PLIST',
      // Unloading continues for a moment after bootout returns, and bootstrap fails meanwhile.
      `if ${bootout} 2>/dev/null; then sleep 2; fi`,
      `${bootstrap} 2>"$work/why" || fail "launchd did not take it: $(tail -n 1 "$work/why"). Log in on the Mac's own screen, and paste again."`,
    ],
    done,
    undo: {
      first: [`  case $changed in *${file}*) ${bootout} && sleep 2 ;; esac`],
      last: [`  case $changed in *${file}*) [ ! -e ${file} ] || ${bootstrap} ;; esac`],
    },
  })
  const removal = ['cd "$HOME"', `${bootout} || :`, `rm -rf ${[file, ...files].join(' ')}`]
  return {
    steps: [sh(t`Paste this into Terminal on the Mac`, paste)],
    installs: [{ title: `~/${file}`, text, language: 'xml' }],
    removal: sh(t`To stop it`, hereDocument(removal)),
    notes,
  }
}

// A shell is needed in between, because a property list can't refer to the home folder.
function propertyList({ label, command, schedule }: LaunchAgent): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xmlEscape(label)}</string>
  <key>ProgramArguments</key>
  <array>
    <string>/bin/sh</string>
    <string>-c</string>
    <string>${xmlEscape(command)}</string>
  </array>
${schedule}
  <key>RunAtLoad</key>
  <true/>
</dict>
</plist>
`
}
