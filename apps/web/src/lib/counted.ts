import { formatNumber } from './format.ts'
/** '1 island', '1,200 islands' */
export function counted(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}
