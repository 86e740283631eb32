/** Milliseconds since 1970. Rules take it as an argument, so that tests can move it. */
export type Clock = () => number
