import { hereDocument, needPrograms, shellInstall } from './shell-paste.ts'

interface LaunchAgent {
  readonly label: string
  readonly propertyList: string
  readonly check: readonly string[]
  readonly install: readonly string[]
  readonly done: readonly string[]
}

/** The path of the property list, relative to the home folder. */
export function launchAgentFile(label: string): string {
  return `Library/LaunchAgents/${label}.plist`
}

export function installLaunchAgent(agent: LaunchAgent): string {
  const { label, propertyList, check, install, done } = agent
  const file = launchAgentFile(label)
  const bootout = `launchctl bootout "gui/$(id -u)/${label}"`
  const bootstrap = `launchctl bootstrap "gui/$(id -u)" "$HOME/${file}"`
  return shellInstall({
    check: [...needPrograms(['launchctl']), ...check],
    install: [
      ...install,
      `put ${file} <<'PLIST'`,
      propertyList.trimEnd(),
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
}

/** Removes the launch agent and its files. Paths are relative to the home folder. */
export function removeLaunchAgent(label: string, files: readonly string[]): string {
  return hereDocument([
    'cd "$HOME"',
    `launchctl bootout "gui/$(id -u)/${label}" || :`,
    `rm -rf ${[launchAgentFile(label), ...files].join(' ')}`,
  ])
}
