/** Every limit that both ends must agree on. Lengths are in Unicode code points unless a name says bytes. */
export const usernamePattern = /^[A-Za-z0-9_-]{3,32}$/
export const passwordMinLength = 8
export const passwordMaxLength = 128
export const nameMaxLength = 64

export const labelMaxLength = 64
export const linkMaxLength = 2048
export const latMaxDeg = 90
export const lonMaxDeg = 180

export const devicesPerUser = 100
export const devicesPerDemoUser = 3
export const tokensPerDevice = 10
export const publicDevicesListed = 100_000

export const bodyMaxBytes = 64 * 1024

/** A session ends after so many days without use, and after so many days in any case. */
export const sessionIdleDays = 14
export const sessionMaxDays = 90
