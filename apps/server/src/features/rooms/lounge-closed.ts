import { type Config, isLocalName } from '../../config.ts'

/** Whether nobody could moderate what strangers write in the installation’s own rooms. */
export function isLoungeClosed({
  publicUrl,
  operators,
}: Pick<Config, 'publicUrl' | 'operators'>): boolean {
  return operators.size === 0 && !isLocalName(new URL(publicUrl).hostname)
}
