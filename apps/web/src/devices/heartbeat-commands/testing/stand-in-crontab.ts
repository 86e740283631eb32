import type { ThrowawayHome } from './throwaway-home.ts'

/**
 * Installs a fake `crontab` that stores its table in the home's file `crontab`. The real one would change
 * the table of the user who runs the tests, regardless of HOME.
 */
export async function putStandInCrontab(home: ThrowawayHome): Promise<void> {
  await home.putProgram(
    'crontab',
    `case $1 in
-l)
  if [ -f "$HOME/crontab" ]; then exec cat "$HOME/crontab"; fi
  echo 'no crontab for nova' >&2
  exit 1 ;;
-) exec cat >"$HOME/crontab" ;;
*) exit 2 ;;
esac`,
  )
}

/** The command that cron passes to sh for a crontab line (crontab(5)). */
export function cronCommandOf(line: string): string {
  const command = /^(?:@reboot|(?:\S+ ){4}\S+) (.*)$/.exec(line)?.[1]
  if (command === undefined) throw new Error(`not a crontab line: ${line}`)
  if (/(?<!\\)%/.test(command)) throw new Error(`cron would cut this at the %: ${command}`)
  return command.replaceAll(String.raw`\%`, '%')
}
