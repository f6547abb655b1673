import { type Credits, creditsFor } from '../../contract/credit.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { lockEnrolmentsOf, type StoredEnrolment } from '../../db/students/enrolments.ts'
import {
  BALANCES_A_STATEMENT,
  type CreditsUpdate,
  updateCredits,
} from '../../db/students/opening-balances.ts'
import type { Reversal } from './reversals.ts'
import type { UndoTransaction } from './undoing.ts'

/**
 * Undoes opening balances and the credits that they show, many per statement: an import may change those of thousands of
 * students. Leaves a set that changes enrolments in another way, which opening balances follow.
 */
export async function undoBalances(undoing: UndoTransaction): Promise<void> {
  const { db, actor, slicer } = undoing
  if (undoing.left('enrolment').some((one) => !hasOnly(one, 'credits'))) return
  const balances = undoing.take('student', (one) => hasOnly(one, 'opening_balance'))
  for (let at = 0; at < balances.length; at += BALANCES_A_STATEMENT) {
    await slicer.pause()
    const part = new Map(balances.slice(at, at + BALANCES_A_STATEMENT).map((one) => [one.id, one]))
    const enrolments = await lockEnrolmentsOf(db, actor.tenant.id, [...part.keys()])
    const ids = new Set(enrolments.map(({ id }) => id))
    const credits = new Map(undoing.take('enrolment', ({ id }) => ids.has(id)).map((one) => [one.id, one]))
    const byStudent = Map.groupBy(enrolments, ({ student_id }) => student_id)
    const updates = [...part.values()].flatMap((balance) =>
      updatesFor(undoing, { balance, credits, enrolments: byStudent.get(balance.id) ?? [] }),
    )
    await updateCredits(db, actor, updates)
  }
}

function hasOnly({ action, fields }: Reversal, name: string): boolean {
  return action === 'change' && Object.keys(fields).join() === name
}

type Own = {
  readonly balance: Reversal
  readonly credits: ReadonlyMap<string, Reversal>
  readonly enrolments: readonly StoredEnrolment[]
}

function updatesFor(
  undoing: UndoTransaction,
  { balance, credits, enrolments }: Own,
): readonly CreditsUpdate[] {
  const student = undoing.locked.students.get(balance.id)
  if (!student) {
    undoing.refuse(balance, 'erased')
    return []
  }
  const current = enrolments.find(({ is_current }) => is_current)
  const credited = enrolments.flatMap((enrolment) => {
    const reversal = credits.get(enrolment.id)
    const isUndone = reversal?.version === enrolment.version
    if (reversal) settle(undoing, reversal, isUndone)
    return reversal ? [{ enrolment, isUndone, credits: reversal.fields.credits as Credits }] : []
  })
  const updates = credited.filter(({ isUndone }) => isUndone).map((one) => ({ student, ...one }))
  if (credited.length > 0) {
    settle(
      undoing,
      balance,
      updates.some(({ enrolment }) => enrolment === current),
    )
    return updates
  }
  const isUnchanged = student.version === balance.version
  settle(undoing, balance, isUnchanged)
  const before = balance.fields.opening_balance as OpeningBalance
  return isUnchanged ? [{ student, enrolment: current, credits: creditsFor(before, current?.credits) }] : []
}

function settle(undoing: UndoTransaction, reversal: Reversal, isUndone: boolean): void {
  if (isUndone) undoing.done(reversal)
  else undoing.refuse(reversal, 'changed_since')
}
