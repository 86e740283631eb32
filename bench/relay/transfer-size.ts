/** Of a download and an upload. */
export const largeBytes = 64 * 1024 * 1024
/** The service writes so much at a time. */
export const pieceBytes = 64 * 1024
