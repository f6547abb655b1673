/** Why a number has no test. */
export const WITHOUT_TEST: Readonly<Record<string, string>> = {
  S59: 'there are no policies; the WHERE of every statement and keys that begin with the school stand in their place (S53 to S58)',
  F8: 'not injected yet',
  F9: 'not injected yet',
  F10: 'not injected yet',
  F14: 'not injected yet',
  F18: 'not injected yet',
  F20: 'not injected yet',
  F22: 'not injected yet',
  F26: 'not injected yet',
}
