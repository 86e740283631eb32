import { t } from '@lingui/core/macro'
import { tokenFileNote } from '../heartbeat-commands/command-guide.ts'
import { agentFiles, nodeMin } from './agent-files.ts'

export const replacedNote = t`Pasting it again replaces the agent of this island, for instance by a newer one or with another port. Those of other islands on this device go on.`

/** For systems with a POSIX shell. */
export function agentNotes(islandId: string): string[] {
  return [
    t`It needs Node.js ${nodeMin} or newer. Debian 12, Ubuntu 24.04, Raspberry Pi OS 12 and newer have it (as root: apt install nodejs). All others find it at https://nodejs.org.`,
    tokenFileNote(agentFiles(islandId).token),
    replacedNote,
  ]
}
