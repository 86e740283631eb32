/** Shell lines at the end of a paste that send a heartbeat and say whether it arrived. */
export function firstHeartbeat(command: string, intervalText: string): string[] {
  return [
    `if ${command}; then`,
    `  echo 'Done: the first heartbeat arrived, more follow ${intervalText}.'`,
    'else',
    "  echo 'Installed, but the first heartbeat did not arrive: see above.' >&2",
    '  exit 1',
    'fi',
  ]
}
