import { passwordLogin } from '@astropelago/contract/accounts'
import { sessionHeartbeat } from '@astropelago/contract/devices'
import { sessionIdleDays, sessionMaxDays } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { addressNotes, type CommandGuide, sh, type TokenHeartbeat } from './command-guide.ts'
import { heartbeatCurl, serverAddress } from './heartbeat-curl.ts'
import { crontabEditor, crontabLine } from './linux-install.ts'
import { shellQuote } from './quote.ts'
import { shellPaste } from './shell-paste.ts'

interface SessionHeartbeat extends Omit<TokenHeartbeat, 'token' | 'schedule'> {
  readonly username: string
}

/** Cron starts the command every minute, so ten seconds remain for curl. */
const longestSleepSeconds = 50

/**
 * Shell lines that sign in with a password from the terminal. It is never echoed, and an interrupt restores
 * the echo. An earlier cookie jar is replaced only after success. There is no -f, because each status has
 * its own message, and no --retry, because retries count against the limit on sign-ins.
 */
function signIn(jar: string, username: string, address: string): string[] {
  const who = shellQuote(username)
  return [
    'mkdir -p "$HOME/.config/astropelago"',
    `jar=${jar}`,
    'terminal=$(stty -g </dev/tty)',
    `trap 'stty "$terminal" </dev/tty; rm -f "$jar.new"' EXIT`,
    "trap 'exit 1' HUP INT TERM",
    'stty -echo </dev/tty',
    `printf 'Password of %s: ' ${who} >/dev/tty`,
    'IFS= read -r password </dev/tty',
    String.raw`printf '\n' >/dev/tty`,
    'rm -f "$jar.new"',
    // JSON requires escaping of quotes and backslashes, but of no other characters that can be typed.
    String.raw`escaped=$(printf '%s' "$password" | sed 's/[\"]/\\&/g')`,
    `answer=$(printf '{"username":%s,"password":"%s"}' ${shellQuote(JSON.stringify(username))} "$escaped" |`,
    `  curl -sS -m 10 -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' --data-binary @- -c "$jar.new" ${shellQuote(address)}) || :`,
    'case $answer in',
    '  200) mv -f "$jar.new" "$jar"; echo "Signed in: the session is in $jar." ;;',
    `  401) printf 'That is not the password of %s. Nothing was saved.\\n' ${who} >&2; exit 1 ;;`,
    "  429) echo 'Too many tries. Wait a minute and try again.' >&2; exit 1 ;;",
    "  000) echo 'The server could not be reached: see above.' >&2; exit 1 ;;",
    '  *) echo "The server refused (status $answer). Nothing was saved." >&2; exit 1 ;;',
    'esac',
  ]
}

/** With a session of its own, because a page can't show the browser's HttpOnly cookie. */
export function sessionCookieCommand(input: SessionHeartbeat): CommandGuide {
  const { publicUrl, username, deviceId, offsetSeconds } = input
  const jarPath = `.config/astropelago/${deviceId}.cookies`
  const jar = `"$HOME/${jarPath}"`
  const path = `${sessionHeartbeat.path}?id=${encodeURIComponent(deviceId)}`
  const curl = heartbeatCurl('curl', `-b ${jar}`, serverAddress(publicUrl, path))
  const mark = `astropelago session ${deviceId}`
  const sleepSeconds = offsetSeconds % longestSleepSeconds
  const line = crontabLine('* * * * *', `sleep ${sleepSeconds}; ${curl}`, mark)
  return {
    steps: [
      sh(
        t`Sign in once: paste this into a terminal and type your password`,
        shellPaste(['curl'], signIn(jar, username, serverAddress(publicUrl, passwordLogin.path))),
      ),
      sh(
        t`Then report every minute`,
        shellPaste(
          ['curl', 'crontab'],
          [
            `[ -f ${jar} ] || { echo 'Please sign in first, with the text above.' >&2; exit 1; }`,
            ...crontabEditor(mark),
            `edit_crontab ${shellQuote(line)}`,
            `if ${curl}; then`,
            "  echo 'Done: the first heartbeat arrived, more follow every minute.'",
            'else',
            "  echo 'Installed, but the first heartbeat did not arrive: see above.' >&2",
            '  exit 1',
            'fi',
          ],
        ),
      ),
    ],
    installs: [{ title: t`The line in your crontab`, text: line, language: 'crontab' }],
    removal: sh(
      t`To stop it`,
      shellPaste(['crontab'], [...crontabEditor(mark), "edit_crontab ''", `rm -f ${jar}`]),
    ),
    notes: [
      t`It ends with the session: after ${sessionIdleDays} days without a heartbeat, and after ${sessionMaxDays} days in any case. Then sign in again with the first text. A device token has no such end.`,
      t`The session cookie goes into ~/${jarPath}, which only your user can read. Anybody who has it can act as you: use it on a device of your own.`,
      t`Your password is not stored, and is neither in the process list nor in the shell’s history.`,
      ...addressNotes(publicUrl),
    ],
  }
}
