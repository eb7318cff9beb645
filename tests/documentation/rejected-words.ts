/** The words that docs/reference/glossary.md replaces, for every text that a reader of the product sees. */
export interface RejectedWords {
  /** Words or phrases, matched as whole words in any case. */
  readonly words: readonly string[];
  /** What to say instead. */
  readonly instead: string;
  /** Phrases in which a word has its ordinary meaning. */
  readonly allowedIn?: readonly string[];
}

export const rejectedWords: readonly RejectedWords[] = [
  { words: ['nobody', 'somebody', 'someone', 'anybody', 'everybody'], instead: 'the caller, the host, the operator' },
  { words: ['whoever', 'whomever'], instead: 'the caller, the host, the client that' },
  { words: ['anew'], instead: 'again; rebuild, replay (a model)' },
  { words: ['beside'], instead: 'next to, in addition to, concurrently' },
  { words: ['side by side', 'meanwhile'], instead: 'concurrently, in the background, during' },
  { words: ['mend', 'mends', 'mended'], instead: 'fix' },
  { words: ['put aside', 'puts aside', 'putting aside'], instead: 'dead-letter, retain' },
  { words: ['turn away', 'turns away', 'turned away', 'turns requests away'], instead: 'reject' },
  { words: ['refuse', 'refuses', 'refused', 'refusing'], instead: 'reject', allowedIn: ['connection refused'] },
  { words: ['tell of', 'tells of', 'told of', 'telling of', 'tell about'], instead: 'emit, report' },
  { words: ['is told', 'are told', 'was told', 'be told'], instead: 'receives, is notified' },
  { words: ['is said', 'are said', 'said so', 'says so', 'say so'], instead: 'report, with its subject' },
  { words: ['show who', 'shows who', 'shown who', 'showing who'], instead: 'authenticate' },
  { words: ['let in', 'lets in', 'lets anybody in', 'does not let'], instead: 'authorize, deny access' },
  { words: ['kept'], instead: 'stored, committed, appended, retained', allowedIn: ['kept open', 'kept up to date'] },
  {
    words: ['keep nothing', 'keeps nothing', 'keep what', 'keeps what', 'keep for ever', 'keeps an event'],
    instead: 'store, commit, append, retain',
  },
  { words: ['for ever'], instead: 'forever' },
  { words: ['taken back', 'takes back', 'take back'], instead: 'revert, roll back' },
  {
    words: ['yet to take', 'has taken', 'have taken', 'not taken'],
    instead: 'process (an event)',
    allowedIn: ['has taken over'],
  },
  { words: ['come as far', 'comes as far', 'how far it is', 'how far they are'], instead: 'catch up, progress, lag' },
  { words: ['go on', 'goes on', 'going on', 'went on'], instead: 'continue, resume' },
  { words: ['where it was', 'where they were'], instead: 'resume', allowedIn: ['resumes where it was'] },
  { words: ['stands', 'stood'], instead: 'is', allowedIn: ['stands for'] },
  { words: ['once more', 'again and again'], instead: 'again; repeatedly; retry' },
  {
    words: ['in front', 'the one before', 'those before', 'those behind', 'what is behind'],
    instead: 'previous, next, before, after',
  },
  { words: ['is away', 'are away', 'was away'], instead: 'is unavailable' },
  { words: ['comes of it', 'came of it', 'becomes of', 'became of'], instead: 'the result, the outcome' },
  {
    words: ['what is there', 'what is not there', 'what was gathered'],
    instead: 'name it: the stored events, the snapshot',
  },
  { words: ['what is wrong', 'everything wrong', 'what goes wrong'], instead: 'the errors, the problem' },
  { words: ['held to', 'hold it to', 'holds it to', 'hold them to'], instead: 'tested against, checked against' },
  { words: ['of the business', 'the business says'], instead: 'a business rule' },
  { words: ['more than it may', 'more than they may'], instead: 'exceeds the limit' },
  { words: ['as ever', 'as it comes'], instead: 'as usual; by default' },
];
