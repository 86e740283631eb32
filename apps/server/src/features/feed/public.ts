export type { Feed, FeedReader } from './feed.ts'
