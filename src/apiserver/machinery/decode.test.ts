import { testConversation } from '../recorded/testing.js';

testConversation('json');
testConversation('kinds');
testConversation('options');
