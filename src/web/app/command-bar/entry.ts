import type { Instructor } from '../../../contract/instructor.ts'
import type { Student } from '../../../contract/student.ts'
import type { Findable } from '../../../domain/search.ts'
import type { IconName } from '../../ui/icon.tsx'

export type CommandAction = { readonly label: string; readonly icon?: IconName } & (
  | { readonly act: () => void; readonly href?: never }
  | { readonly href: string }
)

/** A hit of the command bar. Enter performs its first action. */
export type CommandEntry = {
  readonly id: string
  readonly icon: IconName
  readonly label: string
  readonly actions: readonly CommandAction[]
  /** Shown beside the label. */
  readonly hint?: string | null
  readonly student?: Student
  readonly instructor?: Instructor
}

/** An entry that is found by its own words. */
export type FindableEntry = CommandEntry & { readonly findable: Findable }
