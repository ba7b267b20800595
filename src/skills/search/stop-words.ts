/** English words that stand in every text and tell no skill from another. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `about above after again all also am an and any are as at be because been before being below between both but by can
   could did do does doing done down during each few for from further get give had has have having he her here him his how
   if in into is it its itself just let like me more most my need no nor not now of off on once only or other our out over
   own please same shall she should so some such than that the their them then there these they this those through to too
   under until up us use used user uses using very want was way we were what when where which while who whom whose why will
   with would you your yours skill skills`.split(/\s+/),
);
