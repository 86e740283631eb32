/** Every limit that both ends must agree on. Lengths are in Unicode code points unless a name says bytes. */
export const usernamePattern = /^[A-Za-z0-9_-]{3,32}$/
export const passwordMinLength = 8
export const passwordMaxLength = 128
export const nameMaxLength = 64

/** A picture of a user, as it is uploaded. What is larger in pixels is not even opened. */
export const avatarMaxBytes = 1024 * 1024
export const avatarMaxPixels = 16_000_000

/** By SMTP: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3 */
export const emailMaxLength = 254

/** How long the one-time codes hold: of an operator, in a mail to who lost a password, in one to a new address. */
export const resetCodeHours = 24
export const resetMailHours = 1
export const emailCodeHours = 24

export const inviteUsesMax = 1000
export const inviteDaysMax = 365
export const invitesMax = 1000

export const labelMaxLength = 64
export const linkMaxLength = 2048
export const latMaxDeg = 90
export const lonMaxDeg = 180

/** Where the operator says nothing else, and what may be said at most. */
export const devicesPerUser = 100
export const devicesPerUserMax = 10_000
export const devicesPerDemoUser = 3
export const tokensPerDevice = 10
/** One more, and the oldest ends. */
export const sessionsPerUser = 50
export const apiKeysPerUser = 20
export const apiKeyNameMaxLength = 64
export const apiKeyDaysMax = 3650
export const publicDevicesListed = 100_000
export const feedsPerAddress = 20

/** How often the commands that the site hands out report. */
export const heartbeatIntervalS = 120
/** What a heartbeat may say beside it, and how often that is kept of one device: of more the last one is. */
export const heartbeatTextMaxBytes = 1024
export const keepReportEveryS = 10
/** How much longer it can be between two of their heartbeats: a timer's delay, and curl's tries. */
export const heartbeatSlackS = 30

export const bodyMaxBytes = 64 * 1024

/** One file of devices, without the line of its columns. */
export const importLinesMax = 1000
export const importMaxBytes = 512 * 1024
/** Errors that are told of one file. */
export const importErrorsMax = 100

/** A session ends after so many days without use, and after so many days in any case. */
export const sessionIdleDays = 14
export const sessionMaxDays = 90

/** What one user can keep in the key-value store. Sizes are of UTF-8; quotas count values alone. */
export const entryKeyMaxBytes = 512
export const entryValueMaxBytes = 512 * 1024
export const entryValueMaxDepth = 200
export const entriesPerUser = 1000
export const entryBytesPerUser = 10 * 1024 * 1024
export const entryBytesPerDemoUser = 100 * 1000
export const collectionMaxLength = 64

export const llmBodyMaxBytes = 256 * 1024
export const llmMessagesMax = 64
export const llmTokensMax = 16_384

/** What a reporter may write beside the reason, and an operator to the author of what is hidden. */
export const reportTextMaxLength = 1000
export const hiddenReasonMaxLength = 500
/** What one user may report in 24 hours. */
export const reportsPerDay = 20
export const settledReportsKeptDays = 90

export const announcementTitleMaxLength = 120
export const announcementTextMaxLength = 2000
/** That are not over yet. */
export const announcementsMax = 20
export const endedAnnouncementsKeptDays = 90

export const slugMinLength = 3
export const slugMaxLength = 32
export const taglineMaxLength = 120
export const aboutMaxLength = 4000
export const rulesMaxLength = 2000
/** What a host says of a pause, and how far ahead its end may lie. */
export const pauseTextMaxLength = 200
export const pauseDaysMax = 365
export const islandsPerUser = 20
/** That one user's islands have or had; so many stay taken, whatever becomes of the islands. */
export const slugsPerUser = 100
export const membersPerIsland = 200
/** Who wait for an answer. */
export const requestsPerIsland = 200
export const blocksPerIsland = 1000
/** Islands that one user has joined or asked to join. */
export const membershipsPerUser = 200
/** What an island's picture is drawn from has 32 bits. */
export const pictureMax = 2 ** 32 - 1
export const neighboursPerIsland = 8
export const invitationsPerIsland = 20
export const invitationUsesMax = 200
export const invitationDaysMax = 365
/** How long an invitation that is over stays in its host's list. */
export const invitationShownDays = 30
export const joinTextMaxLength = 280
export const logTextMaxLength = 500
/** What one user may write in 24 hours, on all islands together. */
export const signalsPerDay = 30
export const notesPerDay = 60
/** Of a log the newest lines are kept. */
export const logLinesPerIsland = 5000
/** Of an island's notes of a day so many are counted for its host: more are many. */
export const notesCounted = 100
/** How long a log tells when its island opened and closed. */
export const openingsKeptDays = 90
/** How long an old slug leads to the island's new one. */
export const oldSlugDays = 90

export const searchMaxLength = 100
/** What one user may search in 10 seconds. */
export const searchesPer10s = 20
/** That are drawn at once. */
export const chartIslandsMax = 300
/** Islands that globe and map are given. */
export const carriedIslandsListed = 2000
/** Streams of one's own, or of islands, that one address may hold open. */
export const streamsPerAddress = 40

/** What the relay carries for one island at a time: ordinary requests, and beside them streams that may rest. */
export const relayRequestsPerIsland = 256
export const relayStreamsPerIsland = 512
/** Of those, what the visitors of one network can take: three quarters, so that none shuts all others out. */
export const relayRequestsPerNetwork = 192
export const relayStreamsPerNetwork = 384
/** For so many new names of a host's islands a proxy gets certificates by itself in a day. */
export const certificatesPerHostAndDay = 5
/** Agents of one device: one for each island that its host may have, or some that share the visitors. */
export const agentsPerDevice = 20

/** Connections to an island's own port at a time, in all and of one address. */
export const portConnectionsPerIsland = 256
export const portConnectionsPerAddress = 64
/** How long opening an island's page lets its visitor's network in at the island's port. */
export const portAdmissionHours = 12
/** For so long a port that was given back goes to no other island. */
export const portPauseHours = 24

/** How long something may be away before it is told. */
export const alertGraceMaxS = 86_400
export const alertRepeatHoursMax = 168
/** What one user is told in 24 hours; the rest waits. */
export const alertMessagesPerDay = 200
export const alertMessagesKeptDays = 30
/** Islands of which one user has rules of their own: those that the user follows, above all. */
export const alertIslandsPerUser = 200
/** Times of maintenance of one user that are not over, how long one lasts, and how far ahead it begins. */
export const alertMaintenancesPerUser = 50
export const alertMaintenanceDaysMax = 30
export const alertMaintenanceAheadDaysMax = 365
/** Devices that one of them names, and islands. */
export const alertMaintenanceThingsMax = 100

/** Where one user is told of things, such as an e-mail address or a chat. */
export const alertChannelsPerUser = 10
export const alertChannelNameMaxLength = 64
/** Of a token that another service gave its user. */
export const channelTokenMaxLength = 512
/** How often one user may try channels out. */
export const channelTestsPerMinute = 6
/** How long the code holds by which an e-mail address is confirmed. */
export const channelCodeHours = 24

/** Devices, and islands, that one status page shows. */
export const statusPageThingsMax = 50
/** Hosts that may show it in a frame. */
export const frameHostsPerStatusPage = 10
