import type { ThrowawayHome } from './throwaway-home.ts'

/**
 * Puts a `crontab` in the way that keeps its table in the home's file `crontab`. The real one
 * would change the table of whoever runs the tests, whatever HOME says.
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

/** The command that cron gives to sh for a line of a crontab (crontab(5)). */
export function cronCommandOf(line: string): string {
  const command = /^(?:@reboot|(?:\S+ ){4}\S+) (.*)$/.exec(line)?.[1]
  if (command === undefined) throw new Error(`not a crontab line: ${line}`)
  if (/(?<!\\)%/.test(command)) throw new Error(`cron would cut this at the %: ${command}`)
  return command.replaceAll(String.raw`\%`, '%')
}
