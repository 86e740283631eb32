/**
 * Every limit that both ends must agree on. Lengths are in Unicode code points unless a name says bytes.
 */
export const usernamePattern = /^[A-Za-z0-9_-]{3,32}$/
export const passwordMinLength = 8
export const passwordMaxLength = 128
export const nameMaxLength = 64

/** A user's picture as it is uploaded. Pictures with more pixels are not even decoded. */
export const avatarMaxBytes = 1024 * 1024
export const avatarMaxPixels = 16_000_000

/** The limit of SMTP: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3 */
export const emailMaxLength = 254

/**
 * How long one-time codes are valid: from an operator, in a mail about a lost password, in a mail to a new
 * address.
 */
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

/** The default, and the most that an operator can set. */
export const devicesPerUser = 100
export const devicesPerUserMax = 10_000
export const devicesPerDemoUser = 3
export const tokensPerDevice = 10
/** One more session ends the oldest. */
export const sessionsPerUser = 50
export const apiKeysPerUser = 20
export const apiKeyNameMaxLength = 64
export const apiKeyDaysMax = 3650
export const publicDevicesListed = 100_000
export const feedsPerAddress = 20

/** How often the commands that the site hands out report. */
export const heartbeatIntervalS = 120
/**
 * The text that a heartbeat may carry, and how often it is stored per device. Of more texts, the last is
 * stored.
 */
export const heartbeatTextMaxBytes = 1024
export const keepReportEveryS = 10
/** How often a device can be expected to report, and how much later than expected it may report. */
export const periodMinS = 60
export const periodMaxS = 30 * 86_400
export const scheduleGraceMaxS = 30 * 86_400
/** How much longer the time between their heartbeats can get, through a timer's delay and curl's retries. */
export const heartbeatSlackS = 30

export const bodyMaxBytes = 64 * 1024

/** One file of devices, without the header line. */
export const importLinesMax = 1000
export const importMaxBytes = 512 * 1024
/** Errors reported for one file. */
export const importErrorsMax = 100

/** A session ends after this many days without use, and after this many days in any case. */
export const sessionIdleDays = 14
export const sessionMaxDays = 90

/** One user's limits in the key-value store. Sizes are in bytes of UTF-8. Quotas count only values. */
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

/** What a reporter may write besides the reason, and an operator to the author of something hidden. */
export const reportTextMaxLength = 1000
export const hiddenReasonMaxLength = 500
/** Reports by one user in 24 hours. */
export const reportsPerDay = 20
export const settledReportRetentionDays = 90

export const announcementTitleMaxLength = 120
export const announcementTextMaxLength = 2000
/** Announcements that are not over yet. */
export const announcementsMax = 20
export const endedAnnouncementRetentionDays = 90

export const slugMinLength = 3
export const slugMaxLength = 32
export const taglineMaxLength = 120
export const aboutMaxLength = 4000
export const rulesMaxLength = 2000
/** A host's text for a pause, and how far ahead its end may be. */
export const pauseTextMaxLength = 200
export const pauseDaysMax = 365
export const islandsPerUser = 20
/** Slugs that one user's islands have or had. They stay taken even when the islands are gone. */
export const slugsPerUser = 100
export const membersPerIsland = 200
/** Users who wait for an answer. */
export const requestsPerIsland = 200
export const blocksPerIsland = 1000
/** Islands that one user has joined or asked to join. */
export const membershipsPerUser = 200
/** The seed of an island's picture has 32 bits. */
export const pictureMax = 2 ** 32 - 1
export const neighboursPerIsland = 8
export const invitationsPerIsland = 20
export const invitationUsesMax = 200
export const invitationDaysMax = 365
/** How long an expired invitation stays in its host's list. */
export const invitationShownDays = 30
export const joinTextMaxLength = 280
export const logTextMaxLength = 500
/** What one user may write in 24 hours, on all islands together. */
export const signalsPerDay = 30
export const notesPerDay = 60
/** A log keeps its newest lines. */
export const logLinesPerIsland = 5000
/** How far a host's count of an island's daily notes goes. */
export const notesCounted = 100
/** How long a log shows when its island opened and closed. */
export const openingRetentionDays = 90
/** How long an old slug leads to the island's new one. */
export const oldSlugDays = 90

export const searchMaxLength = 100
/** Searches by one user in 10 seconds. */
export const searchesPer10s = 20
/** Islands drawn at once. */
export const chartIslandsMax = 300
/** Islands on the globe and the map. */
export const carriedIslandsListed = 2000
/** Streams of users and of islands that one address may hold open. */
export const streamsPerAddress = 40

/** Hosted pages: deployments of one island that stay, and what a draft's text file may have. */
export const deploymentsPerIsland = 5
export const draftTextMaxBytes = 512 * 1024
export const pagePathMaxLength = 200
/** What a zip may have besides its files: names and directories. */
export const zipOverheadBytes = 1_000_000
export const pageBytesPerDemoUser = 1024 * 1024
export const islandsPerDemoUser = 1
export const deploymentsPerHour = 60
export const reviewsListed = 100

/**
 * What the relay carries for one island at a time: ordinary requests and, counted separately, streams that
 * may be idle.
 */
export const relayRequestsPerIsland = 256
export const relayStreamsPerIsland = 512
/**
 * How much of that visitors from one network may use: three quarters, so that no network shuts out the
 * others.
 */
export const relayRequestsPerNetwork = 192
export const relayStreamsPerNetwork = 384
/** How many new names of a host's islands a proxy may get certificates for in a day. */
export const certificatesPerHostAndDay = 5
/** As long as a name can be with the label of its proof in front. */
export const domainMaxLength = 240
/** How many domains of islands' own a proxy may get certificates for: new ones of a host in a day, and all. */
export const certifiedDomainsPerDay = 5
export const certifiedDomainsMax = 1000
/** Agents of one device: one for each island that its host may have, or several that share the visitors. */
export const agentsPerDevice = 20
/** Looks at others' addresses that an agent can lend in an hour. */
export const lentLooksPerHourMax = 3600

/** Connections to an island's own port at a time, in total and from one address. */
export const portConnectionsPerIsland = 256
export const portConnectionsPerAddress = 64
/** How long opening an island's page admits the visitor's network at the island's port. */
export const portAdmissionHours = 12
/** How long a port that was given back is not given to another island. */
export const portPauseHours = 24

/** The longest grace period before an alert, and the longest time between repeated alerts. */
export const alertGraceMaxS = 86_400
export const alertRepeatHoursMax = 168
/** Messages to one user in 24 hours. The rest waits. */
export const alertMessagesPerDay = 200
export const alertMessageRetentionDays = 30
/** Islands for which one user has special alert rules, mostly islands that the user follows. */
export const alertIslandsPerUser = 200
/** One user's maintenance windows that are not over, how long one lasts, and how far ahead it begins. */
export const alertMaintenancesPerUser = 50
export const alertMaintenanceDaysMax = 30
export const alertMaintenanceAheadDaysMax = 365
/** Devices, and islands, in one maintenance window. */
export const alertMaintenanceSubjectsMax = 100

/** Where one user gets alerts, such as an e-mail address or a chat. */
export const alertChannelsPerUser = 10
export const alertChannelNameMaxLength = 64
/** A token that another service gave its user. */
export const channelTokenMaxLength = 512
/** How often one user may test channels. */
export const channelTestsPerMinute = 6
/** How long the code that confirms an e-mail address is valid. */
export const channelCodeHours = 24

/** Devices, and islands, on one status page. */
export const statusPageSubjectsMax = 50
/** Hosts that may show it in a frame. */
export const frameHostsPerStatusPage = 10

/** What islands keep by `spark`: keys and the bytes of their values, of an island and of one visitor on it. */
export const islandValueKeys = 10_000
export const islandValueBytes = 20 * 1024 * 1024
export const islandValueKeysPerVisitor = 100
export const islandValueBytesPerVisitor = 256 * 1024
export const islandValueMaxBytes = 128 * 1024
export const islandWritesPerMinute = 60
/** One call of an island's page. A value in it is JSON in JSON, where each quotation mark takes a byte more. */
export const runtimeCallMaxBytes = 2 * islandValueMaxBytes + 4096

export const roomsPerIsland = 50
export const roomNameMaxLength = 64
export const roomMessageMaxBytes = 4096
/** One visitor's messages on an island in ten seconds. */
export const roomMessagesPerTenSeconds = 20
/** In the installation's own rooms, what an account may send in a minute of its first hour. */
export const roomMessagesOfNewcomersPerMinute = 3
/** What a room shows to whoever comes, and what it keeps for those who come back. */
export const roomMessagesShown = 200
export const roomEventsStored = 1000
export const roomPeopleNamed = 100
/** What one island’s data of a user has. The account’s export has all. */
export const messagesExported = 5000

/** Pages of islands that are connected at a time: to one island, and from one network. */
export const runtimeSocketsPerIsland = 2000
export const runtimeSocketsPerNetwork = 1000

/** The share of an island's daily tokens that one visitor may use. */
export const islandLlmVisitorShare = 0.1
export const islandLlmTokensMax = 10_000_000

/** Checks of an account: the default, the most that an operator can set, and those of a demo account. */
export const checksPerUser = 200
export const checksPerUserMax = 10_000
export const checksPerDemoUser = 3
/** How often the server looks at an address. */
export const checkPeriodMinS = 30
export const checkPeriodMaxS = 86_400
/** How long an address may take to answer. */
export const checkTimeoutMaxS = 30
/** How often a script reports to a check, and how much later it may be. */
export const pushPeriodMinS = 20
export const pushPeriodMaxS = 30 * 86_400
export const checkTextMaxLength = 200
/** Failures in a row before a check is down. */
export const checkFailuresUntilDown = 2
/** What is stored of a failure, or of what a script reports with its status. */
export const checkNoteMaxLength = 250

/** A file of checks to import: as an upload, and for the command line. */
export const checkImportMaxBytes = 20 * 1024 * 1024
export const checkImportFileMaxBytes = 256 * 1024 * 1024
/** Things in one file. */
export const checkImportEntriesMax = 20_000

/** Of other installations: how many are followed, and what is kept of one, and of all together. */
export const neighboursMax = 50
export const devicesPerNeighbour = 100_000
export const devicesOfNeighbours = 200_000
export const islandsPerNeighbour = 10_000
export const islandsOfNeighbours = 50_000
/** How many colours neighbours have. */
export const neighbourColours = 8
