import type { deRequests } from './de-requests.ts'

export const enRequests: typeof deRequests = {
  request: {
    title: 'Days off and hours',
    mine: 'My requests',
    none: 'You have not asked for anything yet.',
    ask: 'Ask the office',
    daysOff: 'Days off',
    hours: 'Other hours',
    from: 'From',
    to: 'To',
    note: 'Note',
    send: 'Ask',
    sent: 'Your request is with the office.',
    withdraw: 'Withdraw',
    addTime: 'Add a time',
    removeTime: 'Remove the time: {{day}}',
    start: '{{day}}, start',
    end: '{{day}}, end',
    dayOff: 'off',
    open: 'open',
    accepted: 'accepted',
    declined: 'declined',
    withdrawn: 'withdrawn',
    answer: 'Answer of the office',
    waiting_one: '{{count}} request is waiting for you',
    waiting_other: '{{count}} requests are waiting for you',
    accept: 'Accept',
    decline: 'Decline',

    decided: 'Somebody else has decided this request already.',
  },
}
