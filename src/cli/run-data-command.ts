import { Problem } from '../contract/problem.ts'
import { sqlStateOf } from '../db/connection/transaction.ts'
import { backup } from './backup.ts'
import {
  asksForHelp,
  type DataCommand,
  type DataContext,
  DoneInPart,
  helpFor,
  UsageError,
  valuesFor,
} from './command.ts'
import { doctor } from './doctor.ts'
import { studentEraseAgain, studentErasures } from './erasures.ts'
import { mailList, mailRetry } from './mail.ts'
import { reportMinutes } from './report-minutes.ts'
import { retention } from './retention.ts'
import { studentErase } from './student.ts'
import { studentExport, studentImport } from './student-files.ts'
import { tenantCreate, tenantList } from './tenant.ts'
import { tenantExport, tenantImport } from './tenant-file.ts'
import {
  userCreate,
  userDisable,
  userEnable,
  userList,
  userResetSecondFactor,
  userSetPassword,
} from './user.ts'

export const dataCommands: readonly DataCommand[] = [
  tenantCreate,
  tenantList,
  tenantExport,
  tenantImport,
  userCreate,
  userSetPassword,
  userResetSecondFactor,
  userDisable,
  userEnable,
  userList,
  studentErase,
  studentErasures,
  studentEraseAgain,
  studentImport,
  studentExport,
  mailList,
  mailRetry,
  reportMinutes,
  retention,
  backup,
  doctor,
]

export type FoundCommand = { readonly command: DataCommand; readonly rest: readonly string[] }

export function findDataCommand(argv: readonly string[]): FoundCommand | undefined {
  const command = dataCommands.find(({ name }) => name === wordsOf(name, argv).join(' '))
  return command && { command, rest: argv.slice(wordsOf(command.name, argv).length) }
}

function wordsOf(name: string, argv: readonly string[]): readonly string[] {
  return argv.slice(0, name.split(' ').length)
}

export async function runDataCommand(
  argv: readonly string[],
  context: Omit<DataContext, 'values'>,
): Promise<number> {
  const found = findDataCommand(argv)
  return exitCodeOf(context.terminal.err, async () => {
    if (!found) throw new UsageError(`There is no command "${argv.join(' ')}"`)
    if (asksForHelp(found.rest)) return context.terminal.out(helpFor(found.command))
    await found.command.run({ ...context, values: valuesFor(found.command, found.rest) })
  })
}

/** Returns 0 if the work succeeds, 2 for wrong usage, 3 if a part is left, 1 for any other failure; prints the reason in one line. */
export async function exitCodeOf(err: (text: string) => void, work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    const usage = usageErrorFor(error)
    if (usage) {
      err(`${usage.message}. Try --help.`)
      return 2
    }
    err(reasonOf(error))
    return error instanceof DoneInPart ? 3 : 1
  }
}

const READ_ONLY = '25006'

function reasonOf(error: unknown): string {
  if (sqlStateOf(error) === READ_ONLY) {
    return 'The database takes no writes now: its disk is almost full, or it is a standby.'
  }
  return error instanceof Error ? error.message : String(error)
}

function usageErrorFor(error: unknown): UsageError | undefined {
  if (error instanceof UsageError) return error
  if (!(error instanceof Problem) || !error.errors) return undefined
  return new UsageError(error.errors.map(({ detail }) => detail.replace(/\.$/, '')).join('; '))
}
