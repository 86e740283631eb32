import { shellQuote } from './shell-quote.ts'

const directory = '.config/astropelago'

/** The path of a device's file with the token header, from the home folder. */
export function headerFilePath(deviceId: string): string {
  return `${directory}/${deviceId}.header`
}

/**
 * The option by which curl reads the header; for shells that know HOME, cron's included.
 * Needs curl 7.55 (2017).
 */
export function headerFileOption(deviceId: string): string {
  return `-H @"$HOME/${headerFilePath(deviceId)}"`
}

/** Shell lines that write the file. Removed first: an older file would keep a wider mode. */
export function writeHeaderFile(deviceId: string, token: string): string[] {
  const file = `"$HOME/${headerFilePath(deviceId)}"`
  return [
    `mkdir -p "$HOME/${directory}"`,
    `rm -f ${file}`,
    String.raw`printf 'Authorization: Bearer %s\n' ${shellQuote(token)} >${file}`,
  ]
}

export function headerFileNote(deviceId: string): string {
  return `The token goes into ~/${headerFilePath(deviceId)}, which only your user can read. Your shell may keep the paste in its history.`
}
