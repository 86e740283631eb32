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

/** Shell lines of a `shellInstall` that put the file there, with the token that is in `$token`. */
export function putHeaderFile(deviceId: string): string[] {
  return [`put ${headerFilePath(deviceId)} <<HEADER`, 'Authorization: Bearer $token', 'HEADER']
}

export function headerFileNote(deviceId: string): string {
  return `The token goes into ~/${headerFilePath(deviceId)}, which only your user can read. Your shell may keep the paste in its history.`
}
