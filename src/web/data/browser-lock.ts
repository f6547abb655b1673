/** Runs work in one tab of the browser at a time. Without HTTPS or localhost, browsers have no locks and it runs at once. */
export function withBrowserLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request(name, work) : work()
}
