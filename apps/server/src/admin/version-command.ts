import { version } from '../version.ts'
import { command } from './command.ts'

export const versionCommand = command({
  words: 'version',
  summary: 'The version of this program',
  run: async () => ({ text: version, json: { version } }),
})
