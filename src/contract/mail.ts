import type { StudentLanguage } from '../domain/page-languages.ts'

/** The template and parameters of a mail. The school's data is added when it is sent. */
export type MailText =
  | {
      readonly template: 'invitation'
      /** The inviting user's name, and the link that sets the password. */
      readonly params: { readonly inviter: string; readonly url: string }
    }
  | {
      readonly template: 'password_reset'
      /** The link that sets another password. */
      readonly params: { readonly url: string }
    }
  | {
      readonly template: 'email_change'
      /** The link that confirms the new address, sent to it. */
      readonly params: { readonly url: string }
    }
  | {
      readonly template: 'email_change_notice'
      /** The new address, and the link that confirms or stops the change, sent to the old one. */
      readonly params: { readonly email: string; readonly url: string }
    }
  | {
      readonly template: 'enquiry'
      /** The list of enquiries. The mail has nothing of the person. */
      readonly params: { readonly url: string }
    }
  | {
      readonly template: 'student_code'
      /** The code that a student enters on their page, and the language of the mail, by default the school's. */
      readonly params: { readonly code: string; readonly language?: StudentLanguage }
    }

export type Recipient = { readonly address: string; readonly name: string }
