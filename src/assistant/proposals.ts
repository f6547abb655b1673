/** The proposal of an assistant: a lesson to book, to move or to cancel. Times are the school's wall clock, `YYYY-MM-DD HH:MM`. */
export type AssistantProposal =
  | {
      readonly book: {
        readonly student_id: string
        readonly instructor_id: string
        readonly lesson_type_id: string
        readonly start_at: string
        readonly end_at: string
        readonly pickup_place?: string | undefined
      }
    }
  | {
      readonly move: {
        readonly appointment_id: string
        readonly instructor_id: string
        readonly start_at: string
        readonly end_at: string
      }
    }
  | { readonly cancel: { readonly appointment_id: string; readonly start_at: string } }

/** Returns the address of the app that opens a proposal as a form that is filled in. Only a person who has logged in there can send it. */
export function proposalLink(base: string, proposal: AssistantProposal): string {
  const [[kind, fields]] = Object.entries(proposal) as [[string, Record<string, string | undefined>]]
  const form = new URLSearchParams({ kind })
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  const date = fields.start_at?.slice(0, 10) ?? ''
  return `${base}/?${new URLSearchParams({ date, proposal: String(form) })}`
}
