/** The reasons why numbers have no test. */
export const WITHOUT_TEST: Readonly<Record<string, string>> = {
  S59: 'there are no policies; the WHERE of every statement and keys that begin with the school stand in their place (S53 to S58)',
}
