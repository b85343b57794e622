import { testConversation } from '../recorded/testing.js';

testConversation('apply');
testConversation('owners');
