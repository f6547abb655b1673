/** Why a number has no test. */
export const WITHOUT_TEST: Readonly<Record<string, string>> = {
  S59: 'there are no policies; the WHERE of every statement and keys that begin with the school stand in their place (S53 to S58)',
  F26: "backups are made and restored by PostgreSQL's own tools, or as a copy of a data directory that is closed",
}
