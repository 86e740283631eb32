import { tokenHeartbeat } from '@astropelago/contract/devices'
import { addressNotes } from './address-notes.ts'
import type { CommandGuide, TokenHeartbeat } from './command-guide.ts'
import { crontabLine, editCrontab } from './crontab-edit.ts'
import { firstHeartbeat } from './first-heartbeat.ts'
import { headerFileOption, headerFileNote, headerFilePath, writeHeaderFile } from './header-file.ts'
import { heartbeatCurl } from './heartbeat-curl.ts'
import { serverAddress } from './server-address.ts'
import { shellPaste } from './shell-paste.ts'

/** A heartbeat every 2 minutes by the user's crontab; no root needed. */
export function cronCommand(input: TokenHeartbeat): CommandGuide {
  const { publicUrl, token, deviceId, offsetSeconds } = input
  const address = serverAddress(publicUrl, tokenHeartbeat.path)
  const curl = heartbeatCurl('curl', headerFileOption(deviceId), address)
  const mark = `astropelago ${deviceId}`
  // The sleep is a fixed number: cron's shell need not know $RANDOM, and cron cuts at a %.
  const line = crontabLine('*/2 * * * *', `sleep ${offsetSeconds}; ${curl}`, mark)
  return {
    steps: [
      {
        title: 'Paste this into a terminal on the device',
        text: shellPaste(
          ['curl', 'crontab'],
          [
            ...writeHeaderFile(deviceId, token),
            ...editCrontab(mark, line),
            ...firstHeartbeat(curl, 'every 2 minutes'),
          ],
        ),
        language: 'sh',
      },
    ],
    installs: [{ title: 'The line in your crontab', text: line, language: 'crontab' }],
    removal: {
      title: 'To stop it',
      text: shellPaste(
        ['crontab'],
        [...editCrontab(mark), `rm -f "$HOME/${headerFilePath(deviceId)}"`],
      ),
      language: 'sh',
    },
    notes: [
      headerFileNote(deviceId),
      'Pasting it again replaces the line; the rest of your crontab stays as it is.',
      ...addressNotes(publicUrl),
    ],
  }
}
