import { expect, test } from 'vitest'
import { shellPaste } from './shell-paste.ts'
import { throwawayHome } from './testing/throwaway-home.ts'

test('a missing program is named before anything is done', async () => {
  const home = await throwawayHome()
  const result = await home.paste(shellPaste(['curl', 'no-such-program'], ['echo done']))
  expect(result).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Nothing was changed: no-such-program is missing. Install it and paste again.\n',
  })
  expect(shellPaste(['crontab'], [])).toContain('Debian and Ubuntu: apt install cron')
})

test('a failing line ends the paste', async () => {
  const home = await throwawayHome()
  const result = await home.paste(shellPaste(['curl'], ['false', 'echo done']))
  expect(result).toEqual({ status: 1, stdout: '', stderr: '' })
})
