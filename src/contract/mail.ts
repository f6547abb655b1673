/** What a mail says: which text, and what stands in it. The rest is the school's, when it is sent. */
export type MailText =
  | {
      readonly template: 'invitation'
      /** Who invites, and the link that sets the password. */
      readonly params: { readonly inviter: string; readonly url: string }
    }
  | {
      readonly template: 'password_reset'
      /** The link that sets another password. */
      readonly params: { readonly url: string }
    }

/** To whom a mail goes. */
export type Recipient = { readonly address: string; readonly name: string }
