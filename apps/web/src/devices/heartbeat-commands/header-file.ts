const directory = '.config/astropelago'

/** The path of a device's file with the token header, relative to the home folder. */
export function headerFilePath(deviceId: string): string {
  return `${directory}/${deviceId}.header`
}

/**
 * The curl option that reads the header from the file, for shells that set HOME, including cron's. Needs
 * curl 7.55 (2017).
 */
export function headerFileOption(deviceId: string): string {
  return `-H @"$HOME/${headerFilePath(deviceId)}"`
}

/** Lines for `shellInstall` that write the file with the token from `$token`. */
export function putHeaderFile(deviceId: string): string[] {
  return [`put ${headerFilePath(deviceId)} <<HEADER`, 'Authorization: Bearer $token', 'HEADER']
}

export function headerFileNote(deviceId: string): string {
  return `The token goes into ~/${headerFilePath(deviceId)}, which only your user can read. Your shell may keep the paste in its history.`
}
