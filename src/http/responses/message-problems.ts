/** The problems of mails and messages, a part of `PROBLEMS`. */
export const MESSAGE_PROBLEMS = {
  no_mail: {
    status: 409,
    title: 'No mail',
    detail:
      'This service sends no mail to confirm the change; an owner of the school can change the address.',
  },
  too_many_mails: {
    status: 429,
    title: 'Too many mails',
    detail:
      'The school has sent too many mails with links within an hour, in all or to this address; try again in {wait}.',
  },
  not_resendable: {
    status: 409,
    title: 'Not resendable',
    detail:
      'Only a message about a lesson that is still ahead can be sent again, once it has failed or was dropped.',
  },
} as const
